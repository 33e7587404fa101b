import { storageFee } from '../../chain/fees.ts'
import type { StoragePhase } from '../../codec/tlb/transactionPhases.ts'
import { VmInputError } from '../errors.ts'
import { addCurrency } from './amounts.ts'
import type { TransactionState } from './TransactionState.ts'

const feeFor = (tx: TransactionState): bigint => {
  if (tx.isSpecial || tx.original === undefined) return 0n
  const storage = { ...tx.original.storage, duePayment: undefined }
  return storageFee(tx.config.storagePrices, storage, tx.address.workchain, tx.input.now)
}

/** Takes the fee for storage. With `adjustValue` what the fee took from the message's value is gone from that. */
export const runStoragePhase = (tx: TransactionState, adjustValue: boolean): void => {
  const { now } = tx.input
  if (now < tx.lastPaid) throw new VmInputError(`The account has paid until ${tx.lastPaid}, which is after ${now}.`)
  const toPay = feeFor(tx) + tx.duePayment
  tx.lastPaid = tx.isSpecial ? 0 : now
  tx.storagePhase = collect(tx, toPay)
  if (adjustValue && tx.messageBalance.grams > tx.balance.grams) {
    tx.messageBalance = { ...tx.messageBalance, grams: tx.balance.grams }
  }
  tx.addFee(tx.storagePhase.storageFeesCollected)
}

const collect = (tx: TransactionState, toPay: bigint): StoragePhase => {
  const { grams } = tx.balance
  if (toPay === 0n) return { storageFeesCollected: 0n, storageFeesDue: undefined, statusChange: 'unchanged' }
  if (toPay <= grams) {
    tx.balance = { ...tx.balance, grams: grams - toPay }
    if (tx.version >= 7) tx.duePayment = 0n
    return { storageFeesCollected: toPay, storageFeesDue: undefined, statusChange: 'unchanged' }
  }
  const due = toPay - grams
  tx.balance = { ...tx.balance, grams: 0n }
  return {
    storageFeesCollected: grams,
    storageFeesDue: due,
    statusChange: tx.isSpecial ? 'unchanged' : punish(tx, due),
  }
}

/** What becomes of an account that owes so much. */
const punish = (tx: TransactionState, due: bigint): StoragePhase['statusChange'] => {
  const { freezeDueLimit, deleteDueLimit } = tx.config.gasPrices(tx.address.workchain)
  if (tx.version >= 4) tx.duePayment = due
  if (tx.status === 'active') {
    if (due <= freezeDueLimit) return 'unchanged'
    tx.wasFrozen = true
    tx.status = 'frozen'
    return 'frozen'
  }
  if (due <= deleteDueLimit || !tx.balance.extra.isEmpty) return 'unchanged'
  if (tx.version >= 13) tx.wasDeleted = true
  tx.status = 'deleted'
  return 'deleted'
}

/** Adds the value of the message to the balance. */
export const runCreditPhase = (tx: TransactionState): void => {
  tx.creditPhase = { dueFeesCollected: undefined, credit: tx.messageBalance }
  tx.balance = addCurrency(tx.balance, tx.messageBalance)
}
