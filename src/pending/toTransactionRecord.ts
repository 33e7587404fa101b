import { writeWhole } from '../codec/cell/wholeCell.ts'
import { packDescription } from '../codec/stored/packDescription.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { writeTransactionDescr } from '../codec/tlb/TransactionDescr.ts'
import { addressKeyOf } from '../primitives/Address.ts'
import { toHex } from '../primitives/hex.ts'
import type { StateSnapshot, TransactionRecord } from '../store/reader/TransactionRecord.ts'
import type { EmulatedTransaction } from './emulate.ts'
import { toExtraAmounts } from './toExtraAmounts.ts'
import { toMessageRecord } from './toMessageRecord.ts'

export type TraceFacts = {
  readonly traceId: Uint8Array
  /** The message that began it. */
  readonly externalHash: Uint8Array
  readonly hasExtraFlags: boolean
  /** By the texts of the hashes of messages: the transactions that receive them. */
  readonly receivers: ReadonlyMap<string, Uint8Array>
}

/** A transaction that was foreseen, as if it had been read from the index. It is in no block. */
export const toTransactionRecord = (emulated: EmulatedTransaction, facts: TraceFacts): TransactionRecord => {
  const { address, transaction, outMessages, before, after, shard, cell } = emulated
  const { hasExtraFlags, receivers } = facts
  const hash = cell.hash()
  return {
    account: addressKeyOf(address),
    hash,
    lt: transaction.lt,
    now: transaction.now,
    mcSeqno: 0,
    traceId: facts.traceId,
    traceExternalHash: facts.externalHash,
    prevHash: transaction.prevTransLt === 0n ? undefined : transaction.prevTransHash,
    prevLt: transaction.prevTransLt,
    origStatus: transaction.origStatus,
    endStatus: transaction.endStatus,
    totalFees: transaction.totalFees.grams,
    totalFeesExtra: toExtraAmounts(transaction.totalFees.extra),
    description: packDescription(writeWhole(writeTransactionDescr, transaction.description)),
    block: { workchain: address.workchain, shard, seqno: 0 },
    inMessage: transaction.inMsg && toMessageRecord(transaction.inMsg, { hasExtraFlags, receivedBy: hash }),
    outMessages: outMessages.map((message) =>
      toMessageRecord(message, { hasExtraFlags, receivedBy: receivers.get(toHex(message.hash())) }),
    ),
    stateBefore: toSnapshot(before),
    stateAfter: toSnapshot(after),
  }
}

const toSnapshot = ({ account: cell }: ShardAccount): StateSnapshot => {
  const account = openAccount(cell)
  if (account.kind === 'none') return { hash: undefined, known: nobody }
  const { state, balance } = account
  const init = state.kind === 'active' ? state.init : undefined
  return {
    hash: cell.hash(0),
    known: {
      status: state.kind,
      balance: balance.grams,
      extra: toExtraAmounts(balance.extra),
      frozenHash: state.kind === 'frozen' ? state.stateHash : undefined,
      dataHash: init?.data?.hash(0),
      codeHash: init?.code?.hash(0),
    },
  }
}

const nobody = {
  status: 'nonexist',
  balance: 0n,
  extra: undefined,
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
} as const
