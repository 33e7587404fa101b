import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServerKey, type ServerKey } from '../adnl/handshake.ts'

/** The key by which clients know the liteserver of a data folder. It stays the same from start to start. */
export const loadServerKey = async (folder: string): Promise<ServerKey> => {
  const path = join(folder, 'liteserver.key')
  const stored = await readFile(path).catch(() => undefined)
  if (stored?.length === 32) return createServerKey(new Uint8Array(stored))
  const seed = new Uint8Array(randomBytes(32))
  await writeFile(path, seed, { mode: 0o600 })
  return createServerKey(seed)
}
