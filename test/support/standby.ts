import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseIdentity, runProgram } from '../../src/store/embedded/programs.ts'

/** Where Debian keeps its servers, each version in a folder. */
const ROOT = '/usr/lib/postgresql'

/** The folder of the newest server of the system that has everything for replication. */
const findPrograms = (): string | undefined =>
  (existsSync(ROOT) ? readdirSync(ROOT) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(ROOT, version, 'bin'))
    .find((folder) => ['initdb', 'pg_ctl', 'pg_basebackup'].every((name) => existsSync(join(folder, name))))

/** Why a test with a real replica is skipped; else `false`. */
export const missingStandby = (): string | false =>
  findPrograms() === undefined
    ? `NOT TESTED: ${ROOT} has no server with pg_basebackup (apt install postgresql).`
    : false

/** A server of the system that listens on a port of the loopback address. */
export type TestServer = {
  readonly url: string
  start(): Promise<void>
  /** At once, as with a power failure. */
  kill(): Promise<void>
}

export type Replication = {
  readonly primary: TestServer
  /** A streaming replica of the primary; begins to run when it is made. */
  addStandby(): Promise<TestServer>
}

const { signal } = new AbortController()

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { readonly port: number }
  await new Promise<void>((done) => server.close(() => done()))
  return port
}

/** A primary server and its replicas: real processes with streaming replication between them. */
export const startReplication = async (t: { after(ending: () => unknown): void }): Promise<Replication> => {
  const programs = findPrograms()!
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-standby-'))
  const identity = chooseIdentity(root)
  const servers: TestServer[] = []
  t.after(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    rmSync(root, { recursive: true, force: true })
  })
  const run = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { exitCode, output } = await runProgram(join(programs, name), args, { identity, signal })
    if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${output}`)
  }
  const own = (folder: string): void => {
    if (identity !== undefined) chownSync(folder, identity.uid, identity.gid)
  }
  own(root)
  const open = async (name: string, fill: (folder: string) => Promise<void>): Promise<TestServer> => {
    const folder = join(root, name)
    const port = await freePort()
    mkdirSync(folder, { mode: 0o700 })
    own(folder)
    await fill(folder)
    writeFileSync(
      join(folder, 'postgresql.auto.conf'),
      `${settings}port = ${port}\n${name === 'primary' ? '' : primaryInfo(primaryPort)}`,
    )
    if (name === 'primary') primaryPort = port
    const server: TestServer = {
      url: `postgres://chaincenter@127.0.0.1:${port}/postgres?ssl=0`,
      start: () => run('pg_ctl', '-D', folder, '-w', '-t', '60', '-l', join(folder, 'log'), 'start'),
      kill: () => run('pg_ctl', '-D', folder, '-m', 'immediate', '-w', 'stop').catch(() => undefined),
    }
    servers.push(server)
    // A process that fails leaves no server behind.
    process.once('exit', () => endInHurry(folder))
    await server.start()
    return server
  }
  let primaryPort = 0
  let standbys = 0
  const primary = await open('primary', (folder) =>
    run('initdb', '-D', folder, '-U', 'chaincenter', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale', 'C'),
  )
  const from = `postgres://chaincenter@127.0.0.1:${primaryPort}/postgres`
  return {
    primary,
    addStandby: () =>
      open(`standby${++standbys}`, async (folder) => {
        await run('pg_basebackup', '-d', from, '-D', folder, '-X', 'stream', '-c', 'fast', '--no-sync')
        writeFileSync(join(folder, 'standby.signal'), '')
      }),
  }
}

const endInHurry = (folder: string): void => {
  try {
    process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // It does not run.
  }
}

const settings = `listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = '32MB'
max_connections = 100
fsync = off
wal_level = replica
max_wal_senders = 8
hot_standby = on
wal_keep_size = '256MB'
wal_retrieve_retry_interval = '200ms'
`

const primaryInfo = (port: number): string => `primary_conninfo = 'host=127.0.0.1 port=${port} user=chaincenter'\n`
