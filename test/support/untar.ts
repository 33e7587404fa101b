import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export type TarFile = { readonly path: string; readonly data: Uint8Array }

const BLOCK = 512
const NAME = 100

const readText = (header: Buffer, at: number, length: number): string =>
  header.toString('latin1', at, at + length).replace(/\0.*$/s, '')

/** The regular files of a compressed tar archive, in its order. Folders and links are passed over; long names are an error. */
export function* untar(compressed: Uint8Array): Generator<TarFile> {
  const bytes = gunzipSync(compressed)
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK)
    if (header.every((byte) => byte === 0)) return
    const path = readText(header, 0, NAME)
    const size = Number.parseInt(readText(header, 124, 12), 8)
    const type = readText(header, 156, 1)
    const isKnown = readText(header, 257, 5) === 'ustar' && Number.isInteger(size) && path.length < NAME && type !== 'L'
    if (!isKnown || at + BLOCK + size > bytes.length) throw new Error(`No entry that we read starts at byte ${at}.`)
    if (type === '0' || type === '') yield { path, data: bytes.subarray(at + BLOCK, at + BLOCK + size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

/** Writes those files of a compressed tar archive whose path is wanted into a folder. Returns how many. */
export const extractTar = (compressed: Uint8Array, folder: string, isWanted: (path: string) => boolean): number => {
  let count = 0
  for (const { path, data } of untar(compressed)) {
    if (!isWanted(path) || path.split('/').includes('..')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), data)
    count++
  }
  return count
}
