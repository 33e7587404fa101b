import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Cleanup, tempFolder } from './tempFolder.ts'

const PROGRAM = process.env['CHAINCENTER_TEST_REDIS'] ?? 'redis-server'

/** Whether there is a Redis server to test with. */
export const isRedisInstalled = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0

/** The same; where there is none, the test is skipped and says so. */
export const haveRedis = (t: TestContext): boolean => {
  if (isRedisInstalled()) return true
  t.skip('NOT TESTED: there is no program redis-server. CHAINCENTER_TEST_REDIS may say where it is.')
  return false
}

export type RedisServer = { readonly url: string; kill(): Promise<void>; start(): Promise<void> }

/** A server of the test's own, that keeps nothing. */
export const startRedis = async (t: Cleanup): Promise<RedisServer> => {
  const folder = tempFolder(t)
  const port = await findPort()
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    const ended = new Promise((done) => child?.once('exit', done))
    if (child?.kill('SIGKILL') === true) await ended
    child = undefined
  }
  const start = async (): Promise<void> => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let log = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    for (let tries = 0; !log.includes('Ready to accept connections'); tries++) {
      if (tries > 500 || child.exitCode !== null) throw new Error(`Redis did not start: ${log}`)
      await delay(20)
    }
  }
  t.after(kill)
  await start()
  return { url: `redis://127.0.0.1:${port}/0`, kill, start }
}

const findPort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
