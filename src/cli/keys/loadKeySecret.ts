import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { markSecret } from '../../gateway/keys/keyText.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { Database } from '../../store/connect/Database.ts'
import { settleSecretMark } from '../../store/keys/apiKeys.ts'
import { UsageError } from '../errors.ts'

const SECRET_BYTES = 32
const MIN_GIVEN = 16

export type SecretPlace = {
  /** The secret itself, where the settings have one. */
  readonly given: string | undefined
  /** The data folder, in which it is kept otherwise. Without one it is gone with the process. */
  readonly folder: string | undefined
}

/** What the hashes of keys in a database are made with. It is not kept there, so that who has only the database has nothing. */
export const loadKeySecret = async (
  { given, folder }: SecretPlace,
  database: Pick<Database, 'transaction'>,
): Promise<Uint8Array> => {
  const path = join(folder ?? '', 'keys.secret')
  const secret = given === undefined ? await loadFile(folder, path) : readGiven(given)
  const mark = markSecret(secret)
  const known = await database.transaction((client) => settleSecretMark(client, mark))
  if (bytesEqual(known, mark)) return secret
  throw new UsageError(
    `The keys in the database were made with another secret than ${given === undefined ? `the one in ${path}` : 'the one that was given'}.`,
    'Give that secret with CHAINCENTER_KEYS_SECRET, or copy the file keys.secret from the data folder in which the keys were made.',
  )
}

const readGiven = (given: string): Uint8Array => {
  if (given.length < MIN_GIVEN) {
    throw new UsageError(
      `The secret of the keys must have ${MIN_GIVEN} characters at least, but it has ${given.length}.`,
      'Make one, for instance with: openssl rand -hex 32',
    )
  }
  return Buffer.from(given)
}

/** Whoever comes first makes it, and the others take his. */
const loadFile = async (folder: string | undefined, path: string): Promise<Uint8Array> => {
  if (folder === undefined) return randomBytes(SECRET_BYTES)
  const kept = await read(path)
  if (kept !== undefined) return kept
  await mkdir(folder, { recursive: true })
  const fresh = `${path}.${randomUUID()}`
  try {
    await writeFile(fresh, `${randomBytes(SECRET_BYTES).toString('hex')}\n`, { mode: 0o600 })
    await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(fresh, { force: true })
  }
  return (await read(path)) ?? loadFile(folder, path)
}

const read = async (path: string): Promise<Uint8Array | undefined> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`The secret of the keys cannot be read: ${error.message}`, 'Check who may read that file.')
  })
  if (text === undefined) return undefined
  if (/^[0-9a-f]{64}\n?$/.test(text)) return Buffer.from(text.trim(), 'hex')
  throw new UsageError(`The file ${path} has no secret in it: 64 hex digits were expected.`, 'Put the right file back.')
}
