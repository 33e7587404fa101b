import { concatBytes } from '../../primitives/bytes.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { MAX_BITS } from '../cell/exotic.ts'
import { ContentError } from './ContentError.ts'

const MAX_CHUNKS = 255

/**
 * text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
 * text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
 * text_chunk_empty$_ = TextChunks 0; chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
 * chunk_ref_empty$_ = TextChunkRef 0;
 */
export const readDnsText = (r: CellReader): Uint8Array => {
  const parts: Uint8Array[] = []
  let chunk = r
  for (let left = r.readUint(8); left > 0; left--) {
    parts.push(chunk.readBytes(chunk.readUint(8)))
    const next = left > 1 ? chunk.readRef() : undefined
    if (chunk !== r) chunk.expectEnd('A chunk of a text')
    if (next !== undefined) chunk = next
  }
  return concatBytes(parts)
}

/** Writes a text in as few cells as it needs, the first of them this one. */
export const writeDnsText = (w: CellWriter, bytes: Uint8Array): void => {
  const room = Math.max(0, ((MAX_BITS - w.usedBits) >> 3) - 2)
  const perCell = (MAX_BITS >> 3) - 1
  const chunks = bytes.length === 0 ? [] : [bytes.subarray(0, room)]
  for (let at = room; at < bytes.length; at += perCell) chunks.push(bytes.subarray(at, at + perCell))
  if (chunks.length > MAX_CHUNKS) {
    throw new ContentError(`A text of ${bytes.length} bytes takes ${chunks.length} chunks, at most ${MAX_CHUNKS} fit.`)
  }
  w.writeUint(chunks.length, 8)
  const [first, ...further] = chunks
  if (first === undefined) return
  w.writeUint(first.length, 8).writeBytes(first)
  const next = further.reduceRight<CellWriter | undefined>((behind, chunk) => {
    const cell = new CellWriter().writeUint(chunk.length, 8).writeBytes(chunk)
    return behind === undefined ? cell : cell.writeRef(behind.toCell())
  }, undefined)
  if (next !== undefined) w.writeRef(next.toCell())
}
