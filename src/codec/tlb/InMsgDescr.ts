import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import {
  addCurrency,
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  readCurrencyCollection,
  writeCurrencyCollection,
  ZERO_CURRENCY,
} from './CurrencyCollection.ts'
import { readCommonMsgInfo } from './Message.ts'
import { envelopeValue, type IhrFeeRule, openMsgEnvelope } from './MsgEnvelope.ts'
import { unknownTag } from './scalars.ts'

type ImportFees = { readonly feesCollected: bigint; readonly valueImported: CurrencyCollection }

const NO_IMPORT_FEES: ImportFees = { feesCollected: 0n, valueImported: ZERO_CURRENCY }

/** import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees; */
const readImportFees = (r: CellReader): ImportFees => ({
  feesCollected: r.readCoins(),
  valueImported: readCurrencyCollection(r),
})

const writeImportFees = (w: CellWriter, { feesCollected, valueImported }: ImportFees): void => {
  w.writeCoins(feesCollected)
  writeCurrencyCollection(w, valueImported)
}

const addImportFees = (a: ImportFees, b: ImportFees): ImportFees => ({
  feesCollected: a.feesCollected + b.feesCollected,
  valueImported: addCurrency(a.valueImported, b.valueImported),
})

/** How a message came into a block. Cells named `msg` hold a Message, `inMsg` and `outMsg` a MsgEnvelope. */
export type InMsg =
  /** From outside of the network. */
  | { readonly kind: 'external'; readonly msg: Cell; readonly transaction: Cell }
  /** By instant hypercube routing, which no network ever used. */
  | {
      readonly kind: 'ihr'
      readonly msg: Cell
      readonly transaction: Cell
      readonly ihrFee: bigint
      readonly proofCreated: Cell
    }
  /**
   * Delivered: `immediate` was sent in this very block, `final` came out of a queue, `deferredFinal` out of the dispatch queue
   * of its sender.
   */
  | {
      readonly kind: 'immediate' | 'final' | 'deferredFinal'
      readonly inMsg: Cell
      readonly transaction: Cell
      readonly fwdFee: bigint
    }
  /** Passed on towards its destination. */
  | { readonly kind: 'transit'; readonly inMsg: Cell; readonly outMsg: Cell; readonly transitFee: bigint }
  /** Taken out of the dispatch queue of its sender and put into the queue towards its destination. */
  | { readonly kind: 'deferredTransit'; readonly inMsg: Cell; readonly outMsg: Cell }
  /** Dropped, because instant routing had delivered it already. */
  | { readonly kind: 'discardedFinal'; readonly inMsg: Cell; readonly transactionId: bigint; readonly fwdFee: bigint }
  | {
      readonly kind: 'discardedTransit'
      readonly inMsg: Cell
      readonly transactionId: bigint
      readonly fwdFee: bigint
      readonly proofDelivered: Cell
    }

/**
 * msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
 * msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;
 * msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
 * msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
 * msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
 * msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
 * msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
 */
export const readInMsg = (r: CellReader): InMsg => {
  switch (r.readUint(3)) {
    case 0b000:
      return { kind: 'external', msg: r.readRefCell(), transaction: r.readRefCell() }
    case 0b001:
      return readDeferred(r)
    case 0b010:
      return {
        kind: 'ihr',
        msg: r.readRefCell(),
        transaction: r.readRefCell(),
        ihrFee: r.readCoins(),
        proofCreated: r.readRefCell(),
      }
    case 0b011:
      return { kind: 'immediate', inMsg: r.readRefCell(), transaction: r.readRefCell(), fwdFee: r.readCoins() }
    case 0b100:
      return { kind: 'final', inMsg: r.readRefCell(), transaction: r.readRefCell(), fwdFee: r.readCoins() }
    case 0b101:
      return { kind: 'transit', inMsg: r.readRefCell(), outMsg: r.readRefCell(), transitFee: r.readCoins() }
    case 0b110:
      return {
        kind: 'discardedFinal',
        inMsg: r.readRefCell(),
        transactionId: r.readUint64(),
        fwdFee: r.readCoins(),
      }
    default:
      return {
        kind: 'discardedTransit',
        inMsg: r.readRefCell(),
        transactionId: r.readUint64(),
        fwdFee: r.readCoins(),
        proofDelivered: r.readRefCell(),
      }
  }
}

const readDeferred = (r: CellReader): InMsg => {
  const tag = 0b00100 | r.readUint(2)
  if (tag === 0b00100) {
    return { kind: 'deferredFinal', inMsg: r.readRefCell(), transaction: r.readRefCell(), fwdFee: r.readCoins() }
  }
  if (tag === 0b00101) return { kind: 'deferredTransit', inMsg: r.readRefCell(), outMsg: r.readRefCell() }
  throw unknownTag('An InMsg of a deferred message', '$00100 or $00101', tag, 5)
}

export const writeInMsg = (w: CellWriter, msg: InMsg): void => {
  switch (msg.kind) {
    case 'external':
      w.writeUint(0b000, 3).writeRef(msg.msg).writeRef(msg.transaction)
      return
    case 'deferredFinal':
      w.writeUint(0b00100, 5).writeRef(msg.inMsg).writeRef(msg.transaction).writeCoins(msg.fwdFee)
      return
    case 'deferredTransit':
      w.writeUint(0b00101, 5).writeRef(msg.inMsg).writeRef(msg.outMsg)
      return
    case 'ihr':
      w.writeUint(0b010, 3)
        .writeRef(msg.msg)
        .writeRef(msg.transaction)
        .writeCoins(msg.ihrFee)
        .writeRef(msg.proofCreated)
      return
    case 'immediate':
      w.writeUint(0b011, 3).writeRef(msg.inMsg).writeRef(msg.transaction).writeCoins(msg.fwdFee)
      return
    case 'final':
      w.writeUint(0b100, 3).writeRef(msg.inMsg).writeRef(msg.transaction).writeCoins(msg.fwdFee)
      return
    case 'transit':
      w.writeUint(0b101, 3).writeRef(msg.inMsg).writeRef(msg.outMsg).writeCoins(msg.transitFee)
      return
    case 'discardedFinal':
      w.writeUint(0b110, 3).writeRef(msg.inMsg).writeUint64(msg.transactionId).writeCoins(msg.fwdFee)
      return
    case 'discardedTransit':
      w.writeUint(0b111, 3).writeRef(msg.inMsg).writeUint64(msg.transactionId).writeCoins(msg.fwdFee)
      w.writeRef(msg.proofDelivered)
  }
}

export const openInMsg = (cell: Cell): InMsg => readWhole(cell, readInMsg, 'An InMsg')

/** The messages that came into a block by their hash, with the fees and the value they brought. */
export type InMsgDescr = AugDict<Uint8Array, InMsg, ImportFees>

/** The fees that the block earns by a message, and the value that comes into the shard with it. */
export const importFeesOf = (msg: InMsg, rule: IhrFeeRule): ImportFees => {
  switch (msg.kind) {
    case 'external':
      return NO_IMPORT_FEES
    case 'immediate':
      return { feesCollected: msg.fwdFee, valueImported: ZERO_CURRENCY }
    case 'final':
    case 'deferredFinal': {
      const envelope = openMsgEnvelope(msg.inMsg)
      return { feesCollected: envelope.fwdFeeRemaining, valueImported: envelopeValue(envelope, rule) }
    }
    case 'transit':
      return { feesCollected: msg.transitFee, valueImported: envelopeValue(openMsgEnvelope(msg.inMsg), rule) }
    case 'deferredTransit':
      return { feesCollected: 0n, valueImported: envelopeValue(openMsgEnvelope(msg.inMsg), rule) }
    case 'ihr': {
      const value = readValue(msg.msg)
      return { feesCollected: msg.ihrFee, valueImported: { grams: value.grams + msg.ihrFee, extra: value.extra } }
    }
    case 'discardedFinal':
    case 'discardedTransit':
      return { feesCollected: msg.fwdFee, valueImported: { grams: msg.fwdFee, extra: NO_EXTRA_CURRENCIES } }
  }
}

const readValue = (msg: Cell): CurrencyCollection => {
  const info = readCommonMsgInfo(openCell(msg))
  if (info.kind === 'internal') return info.value
  throw new CellError(`Expected an internal message to be routed, but got one of kind ${info.kind}.`)
}

const createType = (rule: IhrFeeRule): AugDictType<Uint8Array, InMsg, ImportFees> => ({
  key: hashKey,
  value: { read: readInMsg, write: writeInMsg },
  extra: {
    codec: { read: readImportFees, write: writeImportFees },
    empty: NO_IMPORT_FEES,
    combine: addImportFees,
    ofLeaf: (msg) => importFeesOf(msg, rule),
  },
})

const currentType = createType({ ihrFeeCounts: false })
const typeWithIhrFee = createType({ ihrFeeCounts: true })

/** _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr; */
export const inMsgDescrType = ({ ihrFeeCounts }: IhrFeeRule): AugDictType<Uint8Array, InMsg, ImportFees> =>
  ihrFeeCounts ? typeWithIhrFee : currentType

/** Opens the incoming messages of a block. The rule matters only to one who adds messages: it is not used to read. */
export const openInMsgDescr = (cell: Cell, rule: IhrFeeRule = { ihrFeeCounts: false }): InMsgDescr =>
  openAugDict(cell, inMsgDescrType(rule))
