import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Something that the comparison needs is not there. */
export class MissingPartError extends Error {}

const PACKAGE = 'ton-http-api'
const READY_MS = 60_000

/** Installs the package into a folder, unless it is there already. Returns its version. */
export const installOriginal = async (folder: string): Promise<string> => {
  const python = join(folder, 'bin/python')
  if (!existsSync(join(folder, 'bin', PACKAGE))) {
    await mkdir(folder, { recursive: true })
    await runTool('python3', ['-m', 'venv', folder], 'Python 3.9 or later with its venv module is needed')
    console.log(`installing ${PACKAGE} from PyPI …`)
    await runTool(python, ['-m', 'pip', 'install', '--quiet', PACKAGE], `pip could not install ${PACKAGE} from PyPI`)
  }
  const shown = await runTool(python, ['-m', 'pip', 'show', PACKAGE], `pip does not know ${PACKAGE}`)
  return /^Version: (.*)$/m.exec(shown)?.[1] ?? 'unknown'
}

const runTool = async (command: string, args: readonly string[], need: string): Promise<string> => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let complaint = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stderr.on('data', (chunk) => (complaint += chunk))
  const code = await new Promise<number | undefined>((done) =>
    child.on('error', () => done(undefined)).on('close', (status) => done(status ?? 1)),
  )
  if (code === undefined) throw new MissingPartError(`${need}. The program ${command} was not found.`)
  if (code !== 0) throw new MissingPartError(`${need}.\n${complaint.trim().split('\n').slice(-5).join('\n')}`)
  return printed
}

export type OriginalServer = { readonly url: string; readonly pid: number; close(): Promise<void> }

/** Starts it over the liteserver of a global configuration, with its own defaults: no cache. */
export const startOriginal = async (
  folder: string,
  globalConfig: string,
  workFolder: string,
): Promise<OriginalServer> => {
  const port = await findPort()
  const keystore = join(workFolder, 'keystore')
  await mkdir(keystore, { recursive: true })
  const args = ['--host', '127.0.0.1', '--port', String(port), '--liteserver-config', globalConfig]
  const child = spawn(join(folder, 'bin', PACKAGE), [...args, '--tonlib-keystore', keystore], {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: workFolder,
    // A group of its own: it starts processes that do not end with it.
    detached: true,
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-4000)
  })
  const ended = once(child, 'exit')
  const close = (): Promise<void> => endGroup(child, ended)
  const url = `http://127.0.0.1:${port}`
  const end = performance.now() + READY_MS
  while (!(await isReady(url))) {
    if (performance.now() < end && child.exitCode === null) {
      await pause(250)
      continue
    }
    await close()
    throw new MissingPartError(`${PACKAGE} does not answer over the embedded network.\n${complaint.trim()}`)
  }
  return { url, pid: child.pid!, close }
}

const endGroup = async (child: ChildProcess, ended: Promise<unknown>): Promise<void> => {
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // Nobody is left in the group.
    }
  }
  signal('SIGTERM')
  await Promise.race([ended, pause(3000, undefined, { ref: false })])
  signal('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await ended
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    const { ok } = await fetch(`${url}/getMasterchainInfo`, { signal: AbortSignal.timeout(5000) })
    return ok
  } catch {
    return false
  }
}

const findPort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address !== null ? address.port : 0
}
