import type { RunContext } from '../../chain/ports.ts'
import { openStateTotals } from '../../codec/tlb/ShardState.ts'
import { concatBytes, putU32BE, putU64BE } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { previousBlocks } from '../store/previousBlocks.ts'
import type { BaseState } from './BaseState.ts'
import type { BlockDraft } from './BlockDraft.ts'
import type { MasterView } from './MasterView.ts'

/** The random seed of a block: unpredictable without the secret, deterministic for the same block. */
export const blockSeed = (secret: Uint8Array, { ident, seqno, prev }: BaseState): Uint8Array => {
  const fields = new Uint8Array(16)
  putU32BE(fields, 0, ident.workchain >>> 0)
  putU64BE(fields, 4, ident.shard)
  putU32BE(fields, 12, seqno)
  return sha256(concatBytes([secret, fields, prev[0].rootHash]))
}

const STEP = 1_000_000n

/** The logical time at which a block starts: on a multiple of a million that nothing before it has passed. */
export const nextStartLt = (...reached: readonly bigint[]): bigint => {
  const last = reached.reduce((max, lt) => (lt > max ? lt : max), 0n)
  return last === 0n ? STEP : ((last + STEP - 1n) / STEP) * STEP
}

/** How heavy the last 64 blocks of a shard were, the newest in the lowest bit. */
export type LoadHistory = { readonly overloadHistory: bigint; readonly underloadHistory: bigint }

export const updateLoad = ({ overloadHistory, underloadHistory }: LoadHistory, draft: BlockDraft): LoadHistory => ({
  overloadHistory: shiftIn(overloadHistory, draft.isFull),
  underloadHistory: shiftIn(underloadHistory, draft.isUnderloaded),
})

const shiftIn = (history: bigint, bit: boolean): bigint => BigInt.asUintN(64, history << 1n) | (bit ? 1n : 0n)

/** Whether a load has lasted: younger blocks weigh more. */
export const hasLasted = (history: bigint): boolean =>
  3 * countOnes(history & 0xffffn) +
    2 * countOnes((history >> 16n) & 0xffffn) +
    countOnes((history >> 32n) & 0xffffn) >=
  64

const countOnes = (bits: bigint): number => {
  let count = 0
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count++
  return count
}

/** What contracts see of the network while a block is made on top of a masterchain state. */
export const findRunContext = (
  { id, root, state, rules }: MasterView,
  now: number,
  randomSeed: Uint8Array,
): RunContext => {
  const { libraries } = openStateTotals(state.totals)
  return {
    config: rules.config,
    now,
    randomSeed,
    previousBlocks: previousBlocks(id, root),
    findLibrary: (hash) => libraries.find(hash)?.lib,
  }
}
