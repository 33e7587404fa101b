import { gunzipSync } from 'node:zlib'

export type TarEntry = { readonly name: string; readonly data: Uint8Array }

const BLOCK = 512

/** The files in a gzipped tar archive with short names, in its order. */
export function* tarEntries(bytes: Uint8Array): Generator<TarEntry> {
  const tar = gunzipSync(bytes)
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const text = (from: number, length: number): string =>
      tar
        .subarray(at + from, at + from + length)
        .toString('latin1')
        .split('\0', 1)[0]!
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + BLOCK
    if (Number.isNaN(size) || start + size > tar.length) throw new Error(`The archive is broken at byte ${at}.`)
    if (text(156, 1) === '0')
      yield { name: text(0, 100), data: new Uint8Array(tar.buffer, tar.byteOffset + start, size) }
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}
