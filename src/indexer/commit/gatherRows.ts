import type { EncodedRows } from '../DecodedUnit.ts'

/** Some of the rows, in the order given, in one piece. */
export const gatherRows = ({ bytes, ends }: EncodedRows, indexes: ArrayLike<number>): Uint8Array => {
  if (indexes.length === ends.length) return bytes
  const startOf = (index: number): number => (index === 0 ? 0 : ends[index - 1]!)
  let size = 0
  for (let k = 0; k < indexes.length; k++) size += ends[indexes[k]!]! - startOf(indexes[k]!)
  const gathered = new Uint8Array(size)
  let at = 0
  for (let k = 0; k < indexes.length; ) {
    // Rows that lie side by side go together.
    const from = indexes[k]!
    let to = from
    while (++k < indexes.length && indexes[k] === to + 1) to++
    const part = bytes.subarray(startOf(from), ends[to]!)
    gathered.set(part, at)
    at += part.length
  }
  return gathered
}
