import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EmbeddedServerError } from './errors.ts'

/** As whom the server runs, where that is not ourselves. */
export type Identity = { readonly uid: number; readonly gid: number }

const NOBODY = 65_534

/**
 * PostgreSQL refuses to run as root. Where we are root, it runs as whoever owns its data already, else as nobody; no user is
 * created. Everywhere else it runs as we do, which is `undefined`.
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

/** Whether every folder on the way to a path lets this identity through. Home folders often do not: they are for one user. */
export const canReach = (path: string, { uid, gid }: Identity): boolean => {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const stat = statSync(folder)
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001
    if ((stat.mode & bit) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
