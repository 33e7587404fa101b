import type { TraceInput, TraceMessage, TraceTransaction } from '../../actions/trace/TraceInput.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import { unpackDescription } from '../../codec/stored/packDescription.ts'
import { readTransactionDescr, type TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { TraceRecord } from '../../store/reader/TraceRecord.ts'
import type { MessageRecord, StoredContent, TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { addressOfKey } from './toKnownAccount.ts'

/** A trace as it is kept, as patterns see it. Its transactions are by logical time. */
export const toTraceInput = (trace: TraceRecord, records: readonly TransactionRecord[]): TraceInput => {
  const root = records.find(({ hash }) => bytesEqual(hash, trace.traceId))?.inMessage
  return {
    traceId: toBase64(trace.traceId),
    externalHash: root && toBase64(root.hash),
    externalHashNorm: root?.normalHash && toBase64(root.normalHash),
    endLt: trace.endLt,
    endUtime: trace.endUtime,
    endSeqno: trace.endSeqno,
    transactions: records.map(toTraceTransaction),
  }
}

const toTraceTransaction = (record: TransactionRecord): TraceTransaction => ({
  hash: toBase64(record.hash),
  account: addressOfKey(record.account) ?? '',
  lt: record.lt,
  now: record.now,
  origStatus: record.origStatus,
  endStatus: record.endStatus,
  ...outcomeOf(readWhole(unpackDescription(record.description), readTransactionDescr, 'A TransactionDescr')),
  inMessage: record.inMessage && toTraceMessage(record.inMessage),
  outMessages: record.outMessages.map(toTraceMessage),
})

type Outcome = Pick<TraceTransaction, 'isTickTock' | 'aborted' | 'exitCode' | 'skipReason'>

const outcomeOf = (description: TransactionDescr): Outcome => {
  const compute = 'computePhase' in description ? description.computePhase : undefined
  return {
    isTickTock: description.kind === 'tick_tock',
    aborted: 'aborted' in description && description.aborted,
    exitCode: compute?.kind === 'vm' ? compute.exitCode : undefined,
    skipReason: compute?.kind === 'skipped' ? compute.reason : undefined,
  }
}

const toTraceMessage = (message: MessageRecord): TraceMessage => ({
  hash: toBase64(message.hash),
  source: addressOfKey(message.source),
  destination: addressOfKey(message.destination),
  value: message.value,
  extraCurrencies: typeof message.valueExtra === 'object' ? message.valueExtra : {},
  createdLt: message.createdLt,
  createdAt: message.createdAt,
  opcode: message.opcode === undefined ? undefined : message.opcode >>> 0,
  bounce: message.bounce === true,
  body: cellOf(message.body) ?? emptyCell,
  initState: cellOf(message.init),
})

const cellOf = (content: StoredContent | undefined) =>
  content?.packed === undefined ? undefined : unpackCell(content.packed)
