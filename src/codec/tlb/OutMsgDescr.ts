import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { addCurrency, type CurrencyCollection, currencyCollectionCodec, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { envelopeValue, type IhrFeeRule } from './envelopeValue.ts'
import { openMsgEnvelope } from './MsgEnvelope.ts'
import { type OutMsg, readOutMsg, writeOutMsg } from './OutMsg.ts'

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
