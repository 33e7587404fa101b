import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedServerError, reasonOf } from './errors.ts'
import { explainOutput } from './explainOutput.ts'
import type { Programs } from './Programs.ts'
import { runProgram } from './runProgram.ts'
import type { ServerFolder } from './ServerFolder.ts'

export const SERVER_USER = 'chaincenter'

/** The password of a folder's server, made when the folder is. */
export const readPassword = (folder: ServerFolder): string => {
  try {
    const password = readFileSync(folder.password, 'utf8').trim()
    if (/^[0-9a-f]{48}$/.test(password)) return password
    throw new Error('it does not hold a password that this program made')
  } catch (cause) {
    throw new EmbeddedServerError(
      `The password of the database in ${folder.root} cannot be read from ${folder.password}: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/** Makes the data folder where there is none. It appears whole: a process that dies while at it leaves nothing that counts. */
export const createCluster = async (folder: ServerFolder, programs: Programs, signal: AbortSignal): Promise<void> => {
  const { identity, newData, data } = folder
  if (existsSync(data)) return
  rmSync(newData, { recursive: true, force: true })
  const password = randomBytes(24).toString('hex')
  const passwordCopy = join(folder.sockets, 'password')
  try {
    mkdirSync(newData, { mode: 0o700 })
    writeFileSync(folder.password, `${password}\n`, { mode: 0o600 })
    writeFileSync(passwordCopy, `${password}\n`, { mode: 0o600 })
    if (identity !== undefined) {
      chownSync(newData, identity.uid, identity.gid)
      chownSync(passwordCopy, identity.uid, identity.gid)
    }
    const args = [...initdbArgs, `--pgdata=${folder.serverRoot}/data.new`, `--pwfile=${folder.serverRoot}/run/password`]
    const { exitCode, output } = await runProgram(programs.initdb, args, {
      identity,
      signal,
      descriptors: folder.descriptors,
    })
    if (exitCode !== 0) throw new EmbeddedServerError(explainOutput(output, folder.root))
    renameSync(newData, data)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof EmbeddedServerError) throw cause
    throw new EmbeddedServerError(`The database folder ${data} cannot be made: ${reasonOf(cause)}.`, { cause })
  } finally {
    rmSync(passwordCopy, { force: true })
    // A program that was just ended may have children that still write.
    rmSync(newData, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

// Text is ordered by its bytes, on every system alike. What is not synced here is at the first checkpoint of the server.
const initdbArgs = [
  '--no-sync',
  '--no-instructions',
  `--username=${SERVER_USER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/** A folder of another major version cannot be opened by this one. */
export const checkClusterVersion = (folder: ServerFolder, { major, version }: Programs): void => {
  const found = readFileSync(join(folder.data, 'PG_VERSION'), 'utf8').trim()
  if (found === String(major)) return
  throw new EmbeddedServerError(
    `The database in ${folder.data} was made by PostgreSQL ${found}, and the one that comes with the program is ${version}, which cannot open it. Run the version of the program that made it, or name another --data-dir.`,
  )
}
