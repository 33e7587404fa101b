import { createHash } from 'node:crypto'
import { AccountLives } from './AccountLives.ts'
import { ChainCopy, type Shifts } from './ChainCopy.ts'
import type { ChainTemplate, TemplateBatch } from './ChainTemplate.ts'

/** A batch of a copy, and where it is. */
export type PlacedBatch = {
  readonly copy: ChainCopy
  readonly batch: TemplateBatch
  readonly lastSeqno: number
  /** In the index with it. */
  readonly transactions: number
}

/** The time of the first block, far enough back for all copies to be of the past. */
const FIRST_UTIME = 1_750_000_000

/** Between the last block of a copy and the first of the next, so that the index is of many days. */
const PAUSE_SECONDS = 7200

/** Copies of chains, one above the other: each round has a copy of every chain. */
export class CopyLayout {
  readonly chains: readonly ChainTemplate[]
  /** Tells what is copied, and how, from anything else. */
  readonly identity: Uint8Array
  readonly #seed: Uint8Array
  readonly #lives: AccountLives

  constructor(chains: readonly ChainTemplate[], seed: number) {
    this.chains = chains
    this.#seed = createHash('sha256').update(`copies ${seed}`).digest()
    const identity = createHash('sha256').update(this.#seed)
    for (const { decoded } of chains.flatMap(({ batches }) => batches.flatMap(({ blockSets }) => blockSets))) {
      identity.update(decoded.digest)
    }
    this.identity = new Uint8Array(identity.digest())
    this.#lives = new AccountLives(chains, this.#seed)
  }

  /** Masterchain blocks that so many transactions take. */
  countBlocks(transactions: number): number {
    const blockSets = this.chains.reduce((sum, chain) => sum + chain.blockSets, 0)
    return Math.ceil((blockSets * transactions) / this.chains.reduce((sum, chain) => sum + chain.transactions, 0))
  }

  /** All batches from the first block on, without end. */
  *list(): Generator<PlacedBatch> {
    let shifts: Shifts | undefined
    let before: ChainCopy[] = []
    let transactions = 0
    for (let number = 0; ; number++) {
      const chain = this.chains[number % this.chains.length]!
      const round = Math.floor(number / this.chains.length)
      shifts = shifts === undefined ? firstShifts(chain) : shiftsAfter(before[0]!, chain)
      const copy: ChainCopy = new ChainCopy({ chain, round, shifts, lives: this.#lives, seed: this.#seed, before })
      for (const batch of chain.batches) {
        transactions += batch.transactions
        yield { copy, batch, lastSeqno: batch.blockSets.at(-1)!.decoded.seqno + shifts.mcSeqno, transactions }
      }
      copy.release()
      before = [copy, ...before].slice(0, this.chains.length)
    }
  }
}

const firstShifts = (chain: ChainTemplate): Shifts => ({
  mcSeqno: 0,
  shardSeqno: 0,
  lt: 0n,
  time: FIRST_UTIME - chain.firstUtime,
})

const shiftsAfter = ({ chain: last, shifts }: ChainCopy, chain: ChainTemplate): Shifts => ({
  mcSeqno: shifts.mcSeqno + last.blockSets,
  shardSeqno: shifts.shardSeqno + last.lastShardSeqno,
  lt: shifts.lt + last.firstLt + last.ltSpan - chain.firstLt,
  time: shifts.time + last.firstUtime + last.timeSpan + PAUSE_SECONDS - chain.firstUtime,
})
