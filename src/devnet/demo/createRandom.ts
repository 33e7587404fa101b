import { getU32BE } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'

/** Choices that are the same for the same seed. */
export interface Random {
  /** From 0 to `limit` - 1. */
  int(limit: number): number
  pick<T>(from: readonly T[]): T
  /** A number of nanotons from 0.01 to 1. */
  coins(): bigint
  bytes(): Uint8Array
}

export const createRandom = (seed: Uint8Array): Random => {
  let state = seed
  const bytes = (): Uint8Array => {
    state = sha256(state)
    return sha256(Uint8Array.of(...state, 1))
  }
  const int = (limit: number): number => getU32BE(bytes(), 0) % limit
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    coins: () => BigInt(1 + int(100)) * 10_000_000n,
    bytes,
  }
}
