import { addressKeyOf } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import type { AccountChange, AccountMoment } from '../store/reader/pending.ts'
import type { EmulatedTrace, SentMessage } from './TraceEmulator.ts'

/** A pending message, and the state of its emulation. */
export type Tracked = {
  readonly message: SentMessage
  readonly since: number
  /** The masterchain block of the last emulation; 0 before the first. */
  seqno: number
  /** The accounts of the emulation, by key, each with its last transaction in that state. */
  touched: ReadonlyMap<string, AccountMoment>
  checkedAt: number
  /** Indexed transactions in the stored trace. */
  real: number
  isShown: boolean
  /** The stored trace is the whole trace of the index, which has no actions of it yet. */
  isWhole: boolean
  /** Failed attempts at the newest block. */
  tries: number
  /** The last of them, if the contract refused the message, until it is reported. */
  refusal: { readonly seqno: number; readonly exitCode: number | undefined } | undefined
  /** Consecutive incomplete emulations: nodes or VM too slow, or trace too large. */
  cuts: number
}

export const startTracking = (message: SentMessage, now: number): Tracked => ({
  message,
  since: now,
  seqno: 0,
  touched: new Map(),
  checkedAt: now,
  real: 0,
  isShown: false,
  isWhole: false,
  tries: 0,
  refusal: undefined,
  cuts: 0,
})

/** Records the accounts of an emulation. */
export const noteEmulation = (tracked: Tracked, { seqno, emulation }: EmulatedTrace): void => {
  const touched = new Map<string, AccountMoment>()
  for (const { address, before } of emulation.transactions) {
    const account = addressKeyOf(address)
    const key = toHex(account)
    if (!touched.has(key)) touched.set(key, { account, lt: before.lastTransLt })
  }
  tracked.seqno = seqno
  tracked.cuts = emulation.isIncomplete ? tracked.cuts + 1 : 0
  // For a refused message, the result depends on the destination account.
  if (touched.size > 0) tracked.touched = touched
}

/** More would take the database longer than a block. */
const MAX_MOMENTS = 5000

/** The accounts that the emulations depend on, each with its oldest state. */
export const listMoments = (those: readonly Tracked[]): AccountMoment[] => {
  const moments = new Map<string, AccountMoment>()
  for (const { touched } of those) {
    for (const [key, moment] of touched) {
      const other = moments.get(key)
      if (other === undefined && moments.size >= MAX_MOMENTS) continue
      if (other === undefined || moment.lt < other.lt) moments.set(key, moment)
    }
  }
  return [...moments.values()]
}

/** Whether an account has changed since the emulation. */
export const isOutdated = ({ touched }: Tracked, changes: ReadonlyMap<string, AccountChange>): boolean => {
  for (const [key, { lt }] of touched) {
    const change = changes.get(key)
    if (change !== undefined && change.lt > lt) return true
  }
  return false
}
