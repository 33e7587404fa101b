import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { addCurrency, type CurrencyCollection, currencyCollectionCodec, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { envelopeValue, type IhrFeeRule, openMsgEnvelope } from './MsgEnvelope.ts'
import { unknownTag } from './scalars.ts'

/** How a message left a block. Cells named `msg` hold a Message, `outMsg` a MsgEnvelope, `reimport` and `imported` an InMsg. */
export type OutMsg =
  /** To the outside of the network. */
  | { readonly kind: 'external'; readonly msg: Cell; readonly transaction: Cell }
  /** Sent: `new` went into the queue, `newDeferred` into the dispatch queue of its sender. */
  | { readonly kind: 'new' | 'newDeferred'; readonly outMsg: Cell; readonly transaction: Cell }
  /** Sent and delivered in this very block. */
  | { readonly kind: 'immediate'; readonly outMsg: Cell; readonly transaction: Cell; readonly reimport: Cell }
  /**
   * Passed on: `transit` came from another shard, `requeuedTransit` from the queue of this one, `deferredTransit` from the
   * dispatch queue of its sender.
   */
  | { readonly kind: 'transit' | 'requeuedTransit' | 'deferredTransit'; readonly outMsg: Cell; readonly imported: Cell }
  /** Taken out of the queue and delivered in this very block. */
  | { readonly kind: 'dequeuedImmediate'; readonly outMsg: Cell; readonly reimport: Cell }
  /** Taken out of the queue, having been delivered elsewhere. */
  | { readonly kind: 'dequeued'; readonly outMsg: Cell; readonly importBlockLt: bigint }
  | {
      readonly kind: 'dequeuedShort'
      readonly msgEnvHash: Uint8Array
      readonly nextWorkchain: number
      readonly nextAddrPfx: bigint
      readonly importBlockLt: bigint
    }

/**
 * msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
 * msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
 * msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
 * msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 * msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
 * msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
 * msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 * msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63 = OutMsg;
 * msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64 import_block_lt:uint64
 *   = OutMsg;
 * msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
 */
export const readOutMsg = (r: CellReader): OutMsg => {
  switch (r.readUint(3)) {
    case 0b000:
      return { kind: 'external', msg: r.readRefCell(), transaction: r.readRefCell() }
    case 0b001:
      return { kind: 'new', outMsg: r.readRefCell(), transaction: r.readRefCell() }
    case 0b010:
      return {
        kind: 'immediate',
        outMsg: r.readRefCell(),
        transaction: r.readRefCell(),
        reimport: r.readRefCell(),
      }
    case 0b011:
      return { kind: 'transit', outMsg: r.readRefCell(), imported: r.readRefCell() }
    case 0b100:
      return { kind: 'dequeuedImmediate', outMsg: r.readRefCell(), reimport: r.readRefCell() }
    case 0b101:
      return readDeferred(r)
    case 0b110:
      return readDequeued(r)
    default:
      return { kind: 'requeuedTransit', outMsg: r.readRefCell(), imported: r.readRefCell() }
  }
}

const readDeferred = (r: CellReader): OutMsg => {
  const tag = 0b10100 | r.readUint(2)
  if (tag === 0b10100) return { kind: 'newDeferred', outMsg: r.readRefCell(), transaction: r.readRefCell() }
  if (tag === 0b10101) return { kind: 'deferredTransit', outMsg: r.readRefCell(), imported: r.readRefCell() }
  throw unknownTag('An OutMsg of a deferred message', '$10100 or $10101', tag, 5)
}

const readDequeued = (r: CellReader): OutMsg => {
  if (!r.readBit()) return { kind: 'dequeued', outMsg: r.readRefCell(), importBlockLt: r.readUintWide(63) }
  return {
    kind: 'dequeuedShort',
    msgEnvHash: r.readBytes(32),
    nextWorkchain: r.readInt(32),
    nextAddrPfx: r.readUint64(),
    importBlockLt: r.readUint64(),
  }
}

export const writeOutMsg = (w: CellWriter, msg: OutMsg): void => {
  switch (msg.kind) {
    case 'external':
      w.writeUint(0b000, 3).writeRef(msg.msg).writeRef(msg.transaction)
      return
    case 'new':
      w.writeUint(0b001, 3).writeRef(msg.outMsg).writeRef(msg.transaction)
      return
    case 'immediate':
      w.writeUint(0b010, 3).writeRef(msg.outMsg).writeRef(msg.transaction).writeRef(msg.reimport)
      return
    case 'transit':
      w.writeUint(0b011, 3).writeRef(msg.outMsg).writeRef(msg.imported)
      return
    case 'dequeuedImmediate':
      w.writeUint(0b100, 3).writeRef(msg.outMsg).writeRef(msg.reimport)
      return
    case 'newDeferred':
      w.writeUint(0b10100, 5).writeRef(msg.outMsg).writeRef(msg.transaction)
      return
    case 'deferredTransit':
      w.writeUint(0b10101, 5).writeRef(msg.outMsg).writeRef(msg.imported)
      return
    case 'dequeued':
      w.writeUint(0b1100, 4).writeRef(msg.outMsg).writeUintWide(msg.importBlockLt, 63)
      return
    case 'dequeuedShort':
      w.writeUint(0b1101, 4).writeBytes(msg.msgEnvHash).writeInt(msg.nextWorkchain, 32)
      w.writeUint64(msg.nextAddrPfx).writeUint64(msg.importBlockLt)
      return
    case 'requeuedTransit':
      w.writeUint(0b111, 3).writeRef(msg.outMsg).writeRef(msg.imported)
  }
}

/** The messages that left a block by their hash, with the value that left the shard with them. */
export type OutMsgDescr = AugDict<Uint8Array, OutMsg, CurrencyCollection>

/** The value that leaves the shard, or stays in its queue, with a message. */
export const exportedValueOf = (msg: OutMsg, rule: IhrFeeRule): CurrencyCollection => {
  switch (msg.kind) {
    case 'external':
    case 'immediate':
    case 'dequeuedImmediate':
    case 'dequeued':
    case 'dequeuedShort':
      return ZERO_CURRENCY
    case 'new':
    case 'newDeferred':
    case 'transit':
    case 'requeuedTransit':
    case 'deferredTransit':
      return envelopeValue(openMsgEnvelope(msg.outMsg), rule)
  }
}

const createType = (rule: IhrFeeRule): AugDictType<Uint8Array, OutMsg, CurrencyCollection> => ({
  key: hashKey,
  value: { read: readOutMsg, write: writeOutMsg },
  extra: {
    codec: currencyCollectionCodec,
    empty: ZERO_CURRENCY,
    combine: addCurrency,
    ofLeaf: (msg) => exportedValueOf(msg, rule),
  },
})

const currentType = createType({ ihrFeeCounts: false })
const typeWithIhrFee = createType({ ihrFeeCounts: true })

/** _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr; */
export const outMsgDescrType = ({ ihrFeeCounts }: IhrFeeRule): AugDictType<Uint8Array, OutMsg, CurrencyCollection> =>
  ihrFeeCounts ? typeWithIhrFee : currentType

/** Opens the outgoing messages of a block. The rule matters only to one who adds messages: it is not used to read. */
export const openOutMsgDescr = (cell: Cell, rule: IhrFeeRule = { ihrFeeCounts: false }): OutMsgDescr =>
  openAugDict(cell, outMsgDescrType(rule))
