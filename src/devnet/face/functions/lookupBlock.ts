import { encodeHeaderProof } from '../headerProof.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { lookUp } from '../lookUp.ts'

/** The header of a block that is known by its place and number, or by a time; the bits of its mode stand four places up. */
export const lookupBlock: LiteFunction<'liteServer.lookupBlock'> = ({ store }, question) => {
  const { id } = lookUp(store, question)
  const mode = (question.mode >> 4) >>> 0
  return { id, mode, headerProof: encodeHeaderProof(store.getRoot(id), mode) }
}
