import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type Message, writeMessage } from '../../src/codec/tlb/Message.ts'
import { outMsgsType, type Transaction, writeTransaction } from '../../src/codec/tlb/Transaction.ts'
import type { OrdinaryDescr } from '../../src/codec/tlb/TransactionDescr.ts'
import { BlockSetBuilder } from '../../src/indexer/decode/BlockSetBuilder.ts'
import {
  type BlockParts,
  readFoundTransaction,
  type WatchedAccounts,
} from '../../src/indexer/decode/findTransactions.ts'
import { ByteArena } from '../../src/indexer/decode/RowBuilder.ts'
import { addressKeyOf } from '../../src/primitives/Address.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { tables } from '../../src/store/schema/tables.ts'
import { readCopiedRows } from './copyRows.ts'
import { amount, filled } from './sampleMessages.ts'

export const ORDINARY: OrdinaryDescr = {
  kind: 'ord',
  creditFirst: true,
  storagePhase: undefined,
  creditPhase: undefined,
  computePhase: { kind: 'skipped', reason: 'no_state' },
  action: undefined,
  aborted: true,
  bounce: undefined,
  destroyed: false,
}

export type BuiltTransaction = {
  readonly inMsg?: Message | undefined
  readonly outMsgs?: readonly Message[]
  readonly fields?: Partial<Transaction>
  readonly balance?: bigint
  readonly hasExtraFlags?: boolean
  readonly watched?: WatchedAccounts
}

/** Of the block of a built transaction. */
export const START_LT = 990n

const cellOf = (message: Message): Cell => writeWhole(writeMessage, message)

/** Decodes a transaction of account 0:0202… at lt 1000 as one of a block set, and reads its rows back. */
export const decodeBuilt = ({
  inMsg,
  outMsgs = [],
  fields,
  balance,
  hasExtraFlags = false,
  watched,
}: BuiltTransaction) => {
  const cell = writeWhole(writeTransaction, {
    accountAddr: filled(2),
    lt: 1000n,
    prevTransHash: filled(3),
    prevTransLt: 900n,
    now: 1_700_000_000,
    outMsgCount: outMsgs.length,
    origStatus: 'active',
    endStatus: 'active',
    inMsg: inMsg && cellOf(inMsg),
    outMsgs: Dict.of(
      outMsgsType,
      outMsgs.map((message, k) => [k, cellOf(message)]),
    ),
    totalFees: amount(0n),
    stateUpdate: { oldHash: filled(4), newHash: filled(5) },
    description: ORDINARY,
    ...fields,
  })
  const id = { workchain: 0, shard: wholeShard, seqno: 7, rootHash: filled(6), fileHash: filled(7) }
  const block = { id, info: { startLt: START_LT } } as BlockParts
  const found = readFoundTransaction(block, addressKeyOf({ workchain: 0, hash: filled(2) }), cell)
  if (balance !== undefined) {
    const after = { status: 'active', balance, extraCurrencies: undefined, frozenHash: undefined } as const
    found.after = { ...after, codeHash: undefined, dataHash: undefined }
  }
  const builder = new BlockSetBuilder({ seqno: 5, hasExtraFlags, hashesAnew: false, watched }, 1, new ByteArena())
  builder.add(found)
  const blockSet = builder.take()
  return {
    blockSet,
    cell,
    row: readCopiedRows(tables.transactions, blockSet.transactions.rows)[0]!,
    sent: readCopiedRows(tables.unreceived_messages, blockSet.messages.rows),
  }
}
