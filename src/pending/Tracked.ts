import { addressKeyOf } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import type { AccountChange, AccountMoment } from '../store/reader/pending.ts'
import type { Forecast, SentMessage } from './TraceForecast.ts'

/** A message on its way, and how far it is known what becomes of it. */
export type Tracked = {
  readonly message: SentMessage
  readonly since: number
  /** The masterchain block after which it was foreseen last; 0 before it ever was. */
  seqno: number
  /** What it was foreseen on: accounts by the texts of their keys, each with its last transaction in that state. */
  touched: ReadonlyMap<string, AccountMoment>
  checkedAt: number
  /** How many of its transactions are in the index, as far as is shown. */
  real: number
  isShown: boolean
  /** How often it was looked at the newest block in vain. */
  tries: number
  /** How often in a row it could not be foreseen to its end: nodes or the machine were too slow, or there is too much of it. */
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
  tries: 0,
  cuts: 0,
})

/** Notes on what it was foreseen. */
export const noteForecast = (tracked: Tracked, { seqno, emulation }: Forecast): void => {
  const touched = new Map<string, AccountMoment>()
  for (const { address, before } of emulation.transactions) {
    const account = addressKeyOf(address)
    const key = toHex(account)
    if (!touched.has(key)) touched.set(key, { account, lt: before.lastTransLt })
  }
  tracked.seqno = seqno
  tracked.cuts = emulation.isIncomplete ? tracked.cuts + 1 : 0
  // Where nothing was taken, the account that did not take it is what it hangs on.
  if (touched.size > 0) tracked.touched = touched
}

/** More would take the database longer than a block. */
const MAX_MOMENTS = 5000

/** The accounts that all of them hang on, each with the oldest state of it. */
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

/** Whether an account is not any more as it was when it was foreseen. */
export const isOutdated = ({ touched }: Tracked, changes: ReadonlyMap<string, AccountChange>): boolean => {
  for (const [key, { lt }] of touched) {
    const change = changes.get(key)
    if (change !== undefined && change.lt > lt) return true
  }
  return false
}
