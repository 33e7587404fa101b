import { type AugDict, type AugDictType, openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { hashKey } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'
import { readCommonMsgInfo } from './CommonMsgInfo.ts'
import { type CurrencyCollection, NO_EXTRA_CURRENCIES, ZERO_CURRENCY } from './CurrencyCollection.ts'
import { envelopeValue, type IhrFeeRule } from './envelopeValue.ts'
import { addImportFees, type ImportFees, NO_IMPORT_FEES, readImportFees, writeImportFees } from './ImportFees.ts'
import { type InMsg, readInMsg, writeInMsg } from './InMsg.ts'
import { openMsgEnvelope } from './MsgEnvelope.ts'

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
  throw new CellError(`An internal message was expected to be routed, one of kind ${info.kind} came.`)
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
