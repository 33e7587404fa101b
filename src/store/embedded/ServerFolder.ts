import { chmodSync, chownSync, closeSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedServerError, reasonOf } from './errors.ts'
import { canReach, chooseIdentity, type Identity } from './Identity.ts'

/** Where everything of one embedded server lies, and how the server itself reaches it. */
export type ServerFolder = {
  readonly root: string
  readonly data: string
  /** A data folder that is not complete yet. */
  readonly newData: string
  readonly sockets: string
  readonly password: string
  readonly log: string
  readonly lock: string
  readonly users: string
  readonly identity: Identity | undefined
  /** What the server is to put before the names of its folders. */
  readonly serverRoot: string
  /** The folder itself, opened, to be handed to the server as descriptor 3 where its path is closed to it. */
  readonly descriptors: readonly number[]
  close(): void
}

/**
 * Makes the folder ready. A server that runs as somebody else may not be let through to it, as when it lies in the home of root;
 * then it gets the opened folder handed over, and reaches what is inside by way of the descriptor.
 */
export const openServerFolder = (folder: string): ServerFolder => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    const root = realpathSync(folder)
    const data = join(root, 'data')
    const identity = chooseIdentity(data)
    const sockets = join(root, 'run')
    mkdirSync(sockets, { recursive: true, mode: 0o700 })
    if (identity !== undefined) {
      chmodSync(root, 0o711)
      chownSync(sockets, identity.uid, identity.gid)
    }
    const isOpen = identity === undefined || canReach(root, identity)
    if (!isOpen && process.platform !== 'linux') {
      throw new EmbeddedServerError(
        `PostgreSQL does not run as root, and the user as whom it would run is not let through to ${root}. Choose another --data-dir, or run the program as another user.`,
      )
    }
    const descriptors = isOpen ? [] : [openSync(root, 'r')]
    return {
      root,
      data,
      newData: join(root, 'data.new'),
      sockets,
      password: join(root, 'password'),
      log: join(root, 'server.log'),
      lock: join(root, 'lock'),
      users: join(root, 'users'),
      identity,
      serverRoot: isOpen ? root : '/proc/self/fd/3',
      descriptors,
      close: () => descriptors.forEach(closeSync),
    }
  } catch (cause) {
    if (cause instanceof EmbeddedServerError) throw cause
    throw new EmbeddedServerError(`The folder ${folder} cannot be made ready for a database: ${reasonOf(cause)}.`, {
      cause,
    })
  }
}
