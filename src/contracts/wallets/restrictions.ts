import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { type DictType, readDict } from '../../codec/cell/Dict.ts'
import { int32Key } from '../../codec/cell/dictTypes.ts'
import { CellError } from '../../codec/cell/errors.ts'

const MAX_LIMITS = 1024

/** From so many seconds after the start on, this much has to stay in the wallet. */
export type RestrictionLimit = { readonly seconds: number; readonly value: bigint }

/** What a restricted wallet may spend, and from when its time runs: 0 where the configuration decides that. */
export type Restrictions = { readonly startAt: number; readonly limits: readonly RestrictionLimit[] }

const limitsType: DictType<number, bigint> = {
  key: int32Key,
  value: { read: (r) => r.readCoins(), write: (w, value) => void w.writeCoins(value) },
}

/**
 * seqno:uint32 wallet_id:uint32 public_key:bits256 start_at:uint32 limits:(HashmapE 32 Grams)
 *
 * A wallet that was not set up yet has no limits, and ends after the key.
 */
export const findRestrictions = (data: Cell): Restrictions | undefined => {
  try {
    const r = openCell(data)
    r.skipBits(320)
    if (r.remainingBits === 0) return { startAt: 0, limits: [] }
    const startAt = r.readUint(32)
    const limits: RestrictionLimit[] = []
    readDict(r, limitsType).forEach((seconds, value) => {
      if (limits.length === MAX_LIMITS) throw new CellError(`A restricted wallet has more than ${MAX_LIMITS} limits.`)
      limits.push({ seconds, value })
    })
    return { startAt, limits }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/**
 * How much of a balance may be spent. `configStart` is what the configuration names as the start (parameter -13) for
 * wallets that have none of their own.
 */
export const unlockedBalance = (
  { startAt, limits }: Restrictions,
  balance: bigint,
  now: number,
  configStart: number | undefined,
): bigint => {
  const start = startAt !== 0 ? startAt : (configStart ?? 0)
  const elapsed = start === 0 ? -1 : now - start
  const limit = limits.filter(({ seconds }) => seconds <= elapsed).sort((a, b) => b.seconds - a.seconds)[0]
  if (limit === undefined) return balance
  return balance > limit.value ? balance - limit.value : 0n
}
