import { Type } from 'typebox'
import type { TransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import type { MessageReading, TransactionReading } from '../TransactionReading.ts'
import { AccountAddressView, toAccountAddressView } from './AccountAddressView.ts'
import { AmountView, BytesView, toCellBytes } from './scalars.ts'
import { TransactionIdView, toTransactionIdView } from './TransactionIdView.ts'

/** What transactions of all kinds have, their messages left out. */
export const transactionMembers = {
  address: AccountAddressView,
  utime: Type.Integer({ description: 'When it was made, in seconds.', examples: [1_770_840_795] }),
  data: BytesView,
  transaction_id: TransactionIdView,
  fee: AmountView,
  storage_fee: AmountView,
  other_fee: AmountView,
}

export const toTransactionMembers = (reading: TransactionReading) => {
  const { address, cell, transaction, outMsgs } = reading
  // What the senders of messages paid ahead for their way is part of the fee.
  const fee = outMsgs.reduce((sum, message) => sum + forwardFee(message), transaction.totalFees.grams)
  const storageFee = findStorageFee(transaction.description)
  return {
    address: toAccountAddressView(address),
    utime: transaction.now,
    data: toCellBytes(cell),
    transaction_id: toTransactionIdView(reading),
    fee: fee.toString(),
    storage_fee: storageFee.toString(),
    other_fee: (fee - storageFee).toString(),
  }
}

const forwardFee = ({ message: { info } }: MessageReading): bigint => (info.kind === 'internal' ? info.fwdFee : 0n)

const findStorageFee = (description: TransactionDescr): bigint =>
  ('storagePhase' in description ? description.storagePhase?.storageFeesCollected : undefined) ?? 0n
