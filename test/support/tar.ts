import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type TarFile = { readonly path: string; readonly data: Uint8Array }

const BLOCK = 512
const NAME = 100

/** The regular files of a tar archive, in its order. Folders and links are skipped; long names are an error. */
export function* readTar(bytes: Uint8Array): Generator<TarFile> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    if (header[0] === 0) return
    const path = readText(header, 0, NAME)
    const size = Number.parseInt(readText(header, 124, 12), 8)
    const type = readText(header, 156, 1)
    const isKnown = readText(header, 257, 5) === 'ustar' && Number.isInteger(size) && path.length < NAME && type !== 'L'
    if (!isKnown || at + BLOCK + size > archive.length) throw new Error(`No readable tar entry at byte ${at}.`)
    if (type === '0' || type === '')
      yield { path, data: new Uint8Array(bytes.buffer, bytes.byteOffset + at + BLOCK, size) }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
}

const readText = (header: Buffer, at: number, length: number): string =>
  header.toString('latin1', at, at + length).replace(/\0.*$/s, '')

/** A tar archive of these files: the same bytes for the same files, whoever packs them and when. */
export const writeTar = (files: readonly TarFile[]): Buffer => {
  const parts: Buffer[] = []
  for (const { path, data } of files) {
    if (path.length >= NAME) throw new Error(`The path ${path} is longer than ${NAME - 1} characters.`)
    const padding = Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)
    parts.push(writeHeader(path, data.length), Buffer.from(data.buffer, data.byteOffset, data.length), padding)
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)])
}

const writeHeader = (path: string, size: number): Buffer => {
  const header = Buffer.alloc(BLOCK)
  const writeOctal = (value: number, at: number, digits: number): void =>
    void header.write(value.toString(8).padStart(digits, '0'), at)
  header.write(path, 0, 'latin1')
  writeOctal(0o644, 100, 7)
  writeOctal(0, 108, 7)
  writeOctal(0, 116, 7)
  writeOctal(size, 124, 11)
  writeOctal(0, 136, 11)
  // The checksum counts its own field as blanks.
  header.fill(' ', 148, 156)
  header.write('0', 156)
  header.write('ustar', 257)
  header.write('00', 263)
  writeOctal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  header[154] = 0
  return header
}

/** Writes the files of a tar archive into a folder. Returns how many. */
export const extractTar = (bytes: Uint8Array, folder: string): number => {
  let count = 0
  for (const { path, data } of readTar(bytes)) {
    if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`${path} leads out of the folder.`)
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), data)
    count++
  }
  return count
}
