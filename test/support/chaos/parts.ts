import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type EmbeddedServer, startEmbeddedServer } from '../../../src/store/embedded/startEmbeddedServer.ts'
import { childArguments, childScript } from '../childScript.ts'
import { silentLogger } from '../databaseServer.ts'
import { startRedis } from '../redisServer.ts'
import type { Cleanup } from '../tempFolder.ts'

/** Something that a service stands on, in a process of its own. */
export type Part = {
  readonly name: 'node' | 'database' | 'redis'
  kill(): Promise<void>
  /** Resolves when it can be used again. */
  start(): Promise<void>
}

export type NodeReady = {
  readonly globalConfig: string
  readonly accounts: readonly { readonly address: string; readonly mnemonic: string; readonly walletType: string }[]
}

export type NodePart = Part & { readonly ready: NodeReady }

const { signal } = new AbortController()

/** A network in its folder, the same after each start. */
export const startNode = async (t: Cleanup, folder: string): Promise<NodePart> => {
  const port = await findPort()
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    if (child === undefined) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  const start = async (): Promise<NodeReady> => {
    child = fork(childScript(import.meta.dirname, 'nodeChild'), [folder, String(port)], {
      execArgv: [...childArguments],
    })
    const failed = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The network ended with ${code}.`)))
    failed.catch(() => undefined)
    const [ready] = (await Promise.race([once(child, 'message'), failed])) as [NodeReady]
    return ready
  }
  t.after(kill)
  const ready = await start()
  return { name: 'node', ready, kill, start: async () => void (await start()) }
}

export type DatabasePart = Part & { readonly url: string }

/** A server whose data outlives it. */
export const startDatabase = async (t: Cleanup, folder: string): Promise<DatabasePart> => {
  const open = (): Promise<EmbeddedServer> => startEmbeddedServer({ folder, logger: silentLogger, signal })
  let server = await open()
  t.after(() => server.stop())
  return {
    name: 'database',
    url: server.url,
    kill: async () => void process.kill(server.pid, 'SIGKILL'),
    start: async () => {
      server = await open()
    },
  }
}

export const startRedisPart = async (t: Cleanup): Promise<Part & { readonly url: string }> => {
  const { url, kill, start } = await startRedis(t)
  return { name: 'redis', url, kill, start }
}

export const findPort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
