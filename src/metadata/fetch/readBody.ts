import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { MetadataUnusableError } from '../errors.ts'

const unpackers: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** The body, unpacked. It is left as soon as it turns out to be too long, whatever its headers said. */
export const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const tooLong = (): Error => new MetadataUnusableError(`A document may have ${maxBytes} bytes, this one has more.`)
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLong()
  const stream = unpack(response)
  if (stream !== response) {
    let received = 0
    response.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > maxBytes) stream.destroy(tooLong())
    })
  }
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > maxBytes) throw tooLong()
      chunks.push(chunk)
    }
  } catch (cause) {
    const code = String((cause as { code?: unknown } | undefined)?.code)
    if (!/^(Z_|ERR_BROTLI|ERR__?(ERROR|BROTLI))/.test(code)) throw cause
    throw new MetadataUnusableError('A packed document cannot be unpacked.', { cause })
  }
  return Buffer.concat(chunks)
}

const unpack = (response: IncomingMessage): IncomingMessage | Duplex => {
  const encoding = String(response.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const create = unpackers.get(encoding)
  if (create === undefined) {
    throw new MetadataUnusableError(`A document packed as ${JSON.stringify(encoding.slice(0, 40))} cannot be unpacked.`)
  }
  // Who reads learns of every failure: it passes from one stream to the other.
  return pipeline(response, create(), () => {})
}
