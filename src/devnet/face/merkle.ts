import type { Cell } from '../../codec/cell/Cell.ts'
import { buildMerkleProof } from '../../codec/cell/merkleProof.ts'
import { recordVisited } from '../../codec/cell/visited.ts'

/** The result of a reading and the proof of all that was entered for it. */
export const prove = <T>(root: Cell, read: (root: Cell) => T): { readonly value: T; readonly proof: Cell } => {
  let value: T | undefined
  const visited = recordVisited(() => {
    value = read(root)
  })
  return { value: value as T, proof: buildMerkleProof(root, visited) }
}
