import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join, normalize } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { CodedError } from '../../primitives/errors.ts'

/** A folder does not hold what a chain can be replayed from. */
export class RecordedFilesError extends CodedError {
  readonly code = 'invalid_recorded_files'
}

const BLOCK = 512

/** Which files of an archive are wanted, by their path in it. */
export type WantedEntry = (path: string) => boolean

/** Unpacks the wanted files of a `.tar.gz` into a folder, and gives their paths. Links and devices are passed over. */
export const untar = async (archive: string, folder: string, isWanted: WantedEntry): Promise<string[]> => {
  const written: string[] = []
  const reader = new ByteReader(createReadStream(archive).pipe(createGunzip()))
  for (;;) {
    const header = await reader.read(BLOCK, archive)
    if (header === undefined || header[0] === 0) return written
    const { path, size, type } = readHeader(header, archive)
    const padded = Math.ceil(size / BLOCK) * BLOCK
    if ((type !== '0' && type !== '\0' && type !== '') || !isWanted(path)) {
      await reader.skip(padded, archive)
      continue
    }
    const target = join(folder, normalize(`/${path}`))
    await mkdir(dirname(target), { recursive: true })
    const out = createWriteStream(target)
    await reader.copy(size, out, archive)
    out.end()
    await finished(out)
    await reader.skip(padded - size, archive)
    written.push(target)
  }
}

const readHeader = (header: Uint8Array, archive: string) => {
  const text = (at: number, length: number): string => {
    const field = Buffer.from(header.subarray(at, at + length)).toString('latin1')
    const end = field.indexOf('\0')
    return end < 0 ? field : field.slice(0, end)
  }
  const size = Number.parseInt(text(124, 12).trim() || '0', 8)
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : ''
  const name = text(0, 100)
  if (!Number.isSafeInteger(size) || size < 0 || name === '') {
    throw new RecordedFilesError(
      `${basename(archive)} is no archive that can be unpacked: one of its entries has no name or size.`,
    )
  }
  return { path: prefix === '' ? name : `${prefix}/${name}`, size, type: text(156, 1) }
}

/** Reads a stream in the sizes that are asked for. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes, or `undefined` at the end. */
  async read(length: number, archive: string): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    let have = 0
    while (have < length) {
      const part = await this.take(length - have, archive)
      if (part === undefined) {
        if (have === 0) return undefined
        throw new RecordedFilesError(`${basename(archive)} ends too early.`)
      }
      parts.push(part)
      have += part.length
    }
    return Buffer.concat(parts)
  }

  async skip(length: number, archive: string): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.takeSome(left, archive)).length
  }

  async copy(length: number, out: NodeJS.WritableStream, archive: string): Promise<void> {
    for (let left = length; left > 0; ) {
      const part = await this.takeSome(left, archive)
      left -= part.length
      if (!out.write(part)) await new Promise((resolve) => out.once('drain', resolve))
    }
  }

  private async takeSome(most: number, archive: string): Promise<Buffer> {
    const part = await this.take(most, archive)
    if (part === undefined) throw new RecordedFilesError(`${basename(archive)} ends too early.`)
    return part
  }

  private async take(most: number, archive: string): Promise<Buffer | undefined> {
    if (this.rest.length === 0) {
      try {
        const { value, done } = await this.chunks.next()
        if (done === true) return undefined
        this.rest = value
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new RecordedFilesError(`${basename(archive)} cannot be unpacked: ${reason}.`, { cause })
      }
    }
    const part = this.rest.subarray(0, most)
    this.rest = this.rest.subarray(part.length)
    return part
  }
}
