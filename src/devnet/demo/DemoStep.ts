import type { Cell } from '../../codec/cell/Cell.ts'
import type { Address } from '../../primitives/Address.ts'
import { getU32BE } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import type { OutgoingMessage } from '../contracts/messages.ts'
import type { DemoPlan } from './deployDemo.ts'
import type { DemoPort, OrderSender } from './OrderSender.ts'

/** Choices that are the same for the same seed. */
interface Random {
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

export type DemoStage = {
  readonly port: DemoPort
  readonly sender: OrderSender
  readonly plan: DemoPlan
  readonly random: Random
}

/** Something that happens now and then. It answers `false` where it cannot happen at present. */
export type DemoStep = {
  readonly name: string
  /** How often, compared to the others. */
  readonly weight: number
  run(stage: DemoStage): Promise<boolean>
}

/** What pays for a request and comes back for the most part. */
const REQUEST_VALUE = 200_000_000n

/** A request to a contract. */
export const request = (destination: Address, body: Cell): OutgoingMessage => ({
  destination,
  value: REQUEST_VALUE,
  bounce: true,
  body,
})
