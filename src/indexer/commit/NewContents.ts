import type pg from 'pg'
import { LruCache } from '../../primitives/LruCache.ts'
import { partitionStart } from '../../store/partitions/dividedTables.ts'
import type { DecodedContents, DecodedUnit } from '../DecodedUnit.ts'
import { KeySet } from './KeySet.ts'

const HASH_BYTES = 32
const MAX_BITS = 18
/** Where the work goes on at both ends of a range, two partitions are filled by turns; a batch may lie across two. */
const MAX_PARTITIONS = 4

type Content = { readonly contents: DecodedContents; readonly index: number }

/** Contents of one partition that may not be there yet, each once. */
export type NewContents = { readonly start: number; readonly contents: readonly Content[] }

/** The contents that are known to be there, by partition: most are repeated soon or never. */
export class KnownContents {
  readonly #partitions = new LruCache<KeySet, number>(MAX_PARTITIONS)

  clear(): void {
    this.#partitions.clear()
  }

  /** What of the contents of consecutive units may be new. */
  select(units: readonly Pick<DecodedUnit, 'seqno' | 'contents'>[], width: number): readonly NewContents[] {
    const selected = new Map<number, { readonly seen: KeySet; readonly contents: Content[] }>()
    const count = units.reduce((sum, { contents }) => sum + contents.count, 0)
    for (const { seqno, contents } of units) {
      const start = partitionStart(seqno, width)
      const known = this.#partitions.find(start)
      const { seen, contents: chosen } = selected.get(start) ?? {
        seen: new KeySet(HASH_BYTES, 30, count),
        contents: [],
      }
      selected.set(start, { seen, contents: chosen })
      for (let index = 0; index < contents.count; index++) {
        const at = index * HASH_BYTES
        if (known?.has(contents.hashes, at)) continue
        if (seen.add(contents.hashes, at)) chosen.push({ contents, index })
      }
    }
    return [...selected].map(([start, { contents }]) => ({ start, contents }))
  }

  /** To be told when they are there for good. */
  add(added: readonly NewContents[]): void {
    for (const { start, contents } of added) {
      let known = this.#partitions.find(start)
      if (known === undefined) {
        known = new KeySet(HASH_BYTES, MAX_BITS)
        this.#partitions.set(start, known)
      }
      for (const { contents: of, index } of contents) known.add(of.hashes, index * HASH_BYTES)
    }
  }
}

const hashOf = ({ contents, index }: Content): Uint8Array =>
  contents.hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)

/** Leaves out what is there. */
export const dropPresent = async (
  client: pg.ClientBase,
  { start, contents }: NewContents,
): Promise<readonly Content[]> => {
  if (contents.length === 0) return []
  const { rows } = await client.query<{ hash: Uint8Array }>(
    'SELECT hash FROM message_contents WHERE mc_seqno = $1 AND hash = ANY ($2::bytea[])',
    [start, contents.map(hashOf)],
  )
  if (rows.length === 0) return contents
  const present = new KeySet(HASH_BYTES, 30, rows.length)
  for (const { hash } of rows) present.add(hash)
  return contents.filter(({ contents: of, index }) => !present.has(of.hashes, index * HASH_BYTES))
}

// The number of columns, and the first of them: the seqno with its length.
const HEAD_BYTES = 10
const COUNT_BYTES = 2

/** Rows of message_contents as COPY takes them: those that decoding made, with the column mc_seqno before the others. */
export const encodeContents = (start: number, contents: readonly Content[]): Uint8Array => {
  const rowOf = ({ contents: { rows }, index }: Content): Uint8Array =>
    rows.bytes.subarray((index === 0 ? 0 : rows.ends[index - 1]!) + COUNT_BYTES, rows.ends[index]!)
  const parts = contents.map(rowOf)
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length + HEAD_BYTES, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const part of parts) {
    view.setInt16(at, 3)
    view.setInt32(at + 2, 4)
    view.setInt32(at + 6, start)
    bytes.set(part, at + HEAD_BYTES)
    at += HEAD_BYTES + part.length
  }
  return bytes
}
