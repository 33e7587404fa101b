import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { configDictType, findConfigParam } from '../codec/tlb/config/configParams.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { listOutMsgs, type Transaction } from '../codec/tlb/Transaction.ts'
import type { Address } from '../primitives/Address.ts'
import { masterchain } from '../primitives/BlockId.ts'
import { bytesEqual } from '../primitives/bytes.ts'

/** Fees by kind, in nano units. */
export type Fees = {
  readonly storage: bigint
  readonly gas: bigint
  readonly action: bigint
  /** What internal messages carry for the validators of the receiving shard. */
  readonly forward: bigint
  /** Of external messages, and of bounced ones. */
  readonly import: bigint
  /** What the account and its messages paid together. */
  readonly total: bigint
}

export const NO_FEES: Fees = { storage: 0n, gas: 0n, action: 0n, forward: 0n, import: 0n, total: 0n }

/** The fees of one transaction. */
export const feesOf = (transaction: Transaction): Fees => {
  const { description, totalFees } = transaction
  const storage = ('storagePhase' in description && description.storagePhase?.storageFeesCollected) || 0n
  const compute = 'computePhase' in description ? description.computePhase : undefined
  const gas = compute?.kind === 'vm' ? compute.gasFees : 0n
  const action = ('action' in description && description.action?.totalActionFees) || 0n
  const { forward } = sentBy(transaction)
  return {
    storage,
    gas,
    action,
    forward,
    import: totalFees.grams - storage - gas - action,
    total: totalFees.grams + forward,
  }
}

export const addFees = (a: Fees, b: Fees): Fees => ({
  storage: a.storage + b.storage,
  gas: a.gas + b.gas,
  action: a.action + b.action,
  forward: a.forward + b.forward,
  import: a.import + b.import,
  total: a.total + b.total,
})

/** Value and forward fees of the internal messages that a transaction sent. */
export const sentBy = (transaction: Transaction): { readonly value: bigint; readonly forward: bigint } => {
  let [value, forward] = [0n, 0n]
  for (const cell of listOutMsgs(transaction)) {
    const info = readCommonMsgInfo(openCell(cell))
    if (info.kind !== 'internal') continue
    value += info.value.grams
    forward += info.fwdFee
  }
  return { value, forward }
}

const BURNING_PARAM = 5

/** Coins of the incoming message that are burned: those sent to the masterchain account of parameter 5. Other currencies stay. */
export const burnedIn = ({ inMsg }: Transaction, { workchain, hash }: Address, config: Cell): bigint => {
  if (inMsg === undefined || workchain !== masterchain) return 0n
  const blackhole = findConfigParam(new Dict(configDictType, config), BURNING_PARAM)?.blackholeAddress
  if (blackhole === undefined || !bytesEqual(blackhole, hash)) return 0n
  const info = readCommonMsgInfo(openCell(inMsg))
  return info.kind === 'internal' ? info.value.grams : 0n
}
