/** Masterchain blocks, both ends included. */
export type SeqnoSpan = { readonly first: number; readonly last: number }

const MAX_SEQNO = 0x7fff_ffff

/**
 * The blocks from the lowest to the highest of some. A statement that names them opens no other partitions than theirs: those that
 * it comes to know of only while it runs it has to open all, which takes longer than to read from one.
 */
export const spanOf = (seqnos: readonly number[], before = 0, after = 0): SeqnoSpan => {
  let [first, last] = [MAX_SEQNO, 0]
  for (const seqno of seqnos) {
    if (seqno < first) first = seqno
    if (seqno > last) last = seqno
  }
  return { first: Math.max(0, first - before), last: Math.min(MAX_SEQNO, last + after) }
}
