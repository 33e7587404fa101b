import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createHttpServer } from '../src/api/core/createHttpServer.ts'
import { reservePort, reservePortOrFree, startingAnswer } from '../src/cli/start/reservePort.ts'
import { createLogger } from '../src/observe/Logger.ts'
import { repository } from './support/childScript.ts'
import { runCommandLine } from './support/runCommandLine.ts'
import { writeTree } from './support/writeTree.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

const listen = async (t: TestContext, onConnection: (socket: Socket) => void = () => undefined): Promise<number> => {
  const server: Server = createServer(onConnection).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

const isLinux = process.platform === 'linux'

test('a port in use is refused before anything is started, with the process that has it', async (t) => {
  const port = await listen(t)
  const workingDir = writeTree(t, {})
  const { exitCode, out, err } = await runCommandLine(t, ['start', '--port', String(port)], { workingDir })
  assert.deepEqual([exitCode, out], [2, ''])
  const holder = isLinux ? `process ${process.pid} \\(.+\\)` : 'another process'
  assert.match(
    err,
    new RegExp(`^Port ${port} is in use by ${holder}\\.\nUse another port with --port, or stop that process\\.\n$`),
  )
  assert.equal(existsSync(join(workingDir, '.chaincenter')), false)
  const args = ['dev', '--port', '0', '--liteserver-port', String(port)]
  assert.match(
    (await runCommandLine(t, args)).err,
    /\nUse another port with --liteserver-port, or stop that process\.\n$/,
  )
})

test('a port that nobody asked for may be another one', async (t) => {
  const port = await listen(t)
  const reserved = await reservePortOrFree({ host: '127.0.0.1', port, flag: '--liteserver-port' })
  assert.notEqual(reserved.port, port)
  reserved.release()
})

test('a reserved port answers that the service starts, and then is the port of the service', async (t) => {
  const reserved = await reservePort({ host: '127.0.0.1', port: 0, flag: '--port', answer: startingAnswer })
  const url = `http://127.0.0.1:${reserved.port}`
  const early = await fetch(url)
  assert.deepEqual([early.status, early.headers.get('retry-after')], [503, '1'])
  assert.match(await early.text(), /The service is starting/)
  const server = await createHttpServer({ mounts: [], logger, ...reserved, sockets: [reserved.socket] })
  t.after(reserved.release)
  assert.equal(server.url, url)
  assert.equal((await fetch(url)).status, 404)
  await server.close()
  await assert.rejects(fetch(url))
})

test('a folder in use is refused with the process that uses it', async (t) => {
  const workingDir = writeTree(t, {})
  const network = join(workingDir, '.chaincenter/network')
  mkdirSync(network, { recursive: true })
  writeFileSync(join(network, 'lock'), `${process.ppid} \n`)
  const { exitCode, err } = await runCommandLine(t, ['start', '--port', '0'], { workingDir })
  assert.equal(exitCode, 2)
  assert.match(err, new RegExp(`^The data folder .*\\.chaincenter is in use by process ${process.ppid}\\b`))
  assert.match(
    err,
    new RegExp(`\nStop that process \\(Ctrl-C in its terminal, or kill ${process.ppid}\\), or .*--data-dir`),
  )
})

test('--reset says what it removes, and removes nothing without a yes', async (t) => {
  const workingDir = writeTree(t, { '.chaincenter/network/blocks': 'x'.repeat(2 ** 20) })
  const asked: string[] = []
  const ask = async (question: string): Promise<string> => {
    asked.push(question)
    return ''
  }
  const { exitCode, err } = await runCommandLine(t, ['start', '--port', '0', '--reset'], { workingDir, ask })
  assert.equal(exitCode, 2)
  assert.match(err, /^Nothing was removed\.\n.*--yes/)
  assert.match(
    asked.join(''),
    /^--reset removes the network in .*network \(1\.0 MiB\) with all its blocks and accounts/,
  )
  assert.ok(existsSync(join(workingDir, '.chaincenter/network/blocks')))
})

test('a network without servers is refused', async (t) => {
  const { exitCode, err } = await runCommandLine(t, ['start', '--network', 'custom'])
  assert.equal(exitCode, 2)
  assert.match(err, /^--network custom names no network.*\nSet a liteserver with --liteserver/)
})

/** What PostgreSQL says to a wrong password. */
const refuseLogin = (socket: Socket): void => {
  socket.once('data', () => {
    const fields = Buffer.from('SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "a"\0\0')
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(fields.length + 4, 1)
    socket.end(Buffer.concat([head, fields]))
  })
}

test('a database that refuses ends the start with one sentence', { timeout: 60_000 }, async (t) => {
  const url = `postgres://a:wrong@127.0.0.1:${await listen(t, refuseLogin)}/x`
  const args = ['start', '--port', '0', '--ephemeral', '--log-level', 'warn', '--database-url', url]
  const { exitCode, out, err } = await runCommandLine(t, args)
  assert.deepEqual([exitCode, out], [1, ''])
  assert.equal(
    err,
    'The database refuses: password authentication failed for user "a".\nCheck that the database server is running and accepts the user, and --database-url.\n',
  )
})

test('the commands that a start in a clone prints work as they stand', { timeout: 120_000 }, async (t) => {
  const cwd = writeTree(t, {})
  const args = ['dev', '--no-index', '--port', '0', '--mining', 'manual', '--log-level', 'warn']
  const child = spawn(process.execPath, [join(repository, 'bin/chaincenter.js'), ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  for await (const part of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    text += part
    if (text.includes('Press Ctrl-C to stop.')) break
  }
  const [, tries] = /^Try, in another terminal:\n((?: {2}.*\n)+)/m.exec(text)!
  const lines = tries!
    .trim()
    .split('\n')
    .map((line) => line.trim())
  assert.equal(lines.length, 2)
  for (const line of lines) {
    assert.match(line, /^node \S*bin\/chaincenter\.js (call|lite) /)
    const { status, stdout, stderr } = spawnSync(line, { cwd, shell: true, encoding: 'utf8' })
    assert.equal(status, 0, `${line}\n${stderr}`)
    assert.match(stdout, /"seqno": |^"?\d+"?$/m)
  }
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await exit, [0, null])
})

test('the commands of the README are the same in every shell', () => {
  const blocks = [...readFileSync(join(repository, 'README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  assert.ok(blocks.length >= 4)
  for (const line of blocks.flatMap(([, block]) => block!.trim().split('\n'))) {
    const [command] = line.split(/\s+#/)
    // No chains, substitutions, continuations, redirections, quotes or variables, which PowerShell and cmd read in another way.
    assert.doesNotMatch(command!, /&&|\|\||[`$\\<>'";]|^[A-Z_]+=/, line)
  }
})
