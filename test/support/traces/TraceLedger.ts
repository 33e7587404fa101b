import assert from 'node:assert/strict'
import type { LinkedTraces, OpenTrace, OpenTraces, Trace } from '../../../src/indexer/IndexBatch.ts'
import type { LinkableBlockSet } from '../../../src/indexer/link/findAwaited.ts'
import { linkBlockSets, NOTHING_OPEN } from '../../../src/indexer/link/linkBlockSets.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import { type PlainTransaction, readTraceId, toLinkableBlockSet } from './PlainTransaction.ts'
import type { PlainTrace, TraceState } from './TraceState.ts'

type Range = { readonly first: number; readonly last: number; readonly open: OpenTraces; readonly state: TraceState }

/** Keeps what linking says as the database would: rows are written, renamed and deleted, and nothing is thought over again. */
export class TraceLedger {
  ranges: readonly Range[] = []
  renames = 0
  readonly #transactions: readonly PlainTransaction[]

  constructor(transactions: readonly PlainTransaction[]) {
    this.#transactions = transactions
  }

  /** Indexes a batch of block sets that no range has yet, and joins it to those it meets. */
  index(first: number, last: number): Range {
    const below = this.ranges.find((range) => range.last === first - 1)
    const above = this.ranges.find((range) => range.first === last + 1)
    const blockSets = Array.from({ length: last - first + 1 }, (_, k) => {
      const transactions = this.#transactions.filter(({ seqno }) => seqno === first + k)
      return toLinkableBlockSet(first + k, transactions)
    })
    const linked = linkBlockSets({ below: below?.open ?? NOTHING_OPEN, blockSets, above: above?.open })
    const state = joinStates(below?.state, above?.state)
    this.renames += linked.renamed.length
    applyToTraces(state, linked)
    applyToRows(state, linked, blockSets)
    const joined = { first: below?.first ?? first, last: above?.last ?? last, open: linked.open, state }
    this.ranges = [...this.ranges.filter((range) => range !== below && range !== above), joined]
    checkOpen(joined)
    return joined
  }
}

const joinStates = (a: TraceState | undefined, b: TraceState | undefined): TraceState => ({
  finished: { ...a?.finished, ...b?.finished },
  open: { ...a?.open, ...b?.open },
  transactions: { ...a?.transactions, ...b?.transactions },
  unreceived: { ...a?.unreceived, ...b?.unreceived },
  underWay: {},
})

const applyToTraces = (state: TraceState, { finished, touched, renamed }: LinkedTraces): void => {
  for (const { from } of renamed) delete state.open[toHex(from)]
  for (const { traceId } of finished) delete state.open[toHex(traceId)]
  for (const trace of finished) {
    assert.equal(state.finished[toHex(trace.traceId)], undefined, 'a trace is finished once')
    state.finished[toHex(trace.traceId)] = plainTrace(trace)
  }
  for (const trace of touched) state.open[toHex(trace.traceId)] = plainOpenTrace(trace)
}

const applyToRows = (state: TraceState, linked: LinkedTraces, blockSets: readonly LinkableBlockSet[]): void => {
  const names = new Map(linked.renamed.map(({ from, to }) => [toHex(from), toHex(to)]))
  for (const [hash, traceId] of Object.entries(state.transactions)) {
    state.transactions[hash] = names.get(traceId) ?? traceId
  }
  for (const [key, row] of Object.entries(state.unreceived)) {
    state.unreceived[key] = { ...row, traceId: names.get(row.traceId) ?? row.traceId }
  }
  for (const { account, createdLt, seqno } of linked.arrived) {
    const key = `${toHex(account)} ${createdLt} ${seqno}`
    assert.notEqual(state.unreceived[key], undefined, 'a message that arrives has a row')
    delete state.unreceived[key]
  }
  blockSets.forEach((blockSet, k) => {
    const { transactions, messages, seqno } = blockSet
    for (let i = 0; i < transactions.count; i++) {
      const hash = toHex(transactions.hashes.subarray(32 * i, 32 * i + 32))
      state.transactions[hash] = toHex(readTraceId(transactions.rows, i))
    }
    for (const message of linked.unreceived[k]!) {
      const sender = transactions.outStarts.findLastIndex((start, i) => i < transactions.count && start <= message)
      const account = toHex(transactions.accounts.subarray(33 * sender, 33 * sender + 33))
      const hash = toHex(messages.hashes.subarray(32 * message, 32 * message + 32))
      const traceId = toHex(readTraceId(messages.rows, message))
      state.unreceived[`${account} ${messages.lts[message]} ${seqno}`] = { hash, traceId }
    }
  })
}

/** The open state that is handed on is the one that the rows show. */
const checkOpen = ({ open, state }: Range): void => {
  const traces = open.traces.map((trace) => [toHex(trace.traceId), plainOpenTrace(trace)] as const)
  assert.deepEqual(Object.fromEntries(traces), state.open)
  assert.equal(traces.length, Object.keys(state.open).length)
  for (const { hash, traceId, account, createdLt, seqno } of open.messages) {
    const row = { hash: toHex(hash), traceId: toHex(traceId) }
    assert.deepEqual(state.unreceived[`${toHex(account)} ${createdLt} ${seqno}`], row)
    assert.equal(state.underWay[row.hash], undefined, 'a message is under way once')
    state.underWay[row.hash] = row.traceId
  }
}

const plainTrace = (trace: Trace): PlainTrace => ({
  startLt: trace.startLt,
  endLt: trace.endLt,
  startSeqno: trace.startSeqno,
  endSeqno: trace.endSeqno,
  startUtime: trace.startUtime,
  endUtime: trace.endUtime,
  transactions: trace.transactions,
  messages: trace.messages,
})

const plainOpenTrace = (trace: OpenTrace): TraceState['open'][string] => ({
  ...plainTrace(trace),
  pending: trace.pending,
  orphan: trace.orphanHash && toHex(trace.orphanHash),
})
