import type pg from 'pg'
import type { OnFault } from '../../actions/classifyTrace.ts'
import { toHex } from '../../primitives/hex.ts'
import { clientReader } from '../../store/connect/clientReader.ts'
import type { Reader } from '../../store/connect/Reader.ts'
import type { Lease } from '../../store/lease/Lease.ts'
import { queryBuilder } from '../../store/queryBuilder.ts'
import type { ActionRecord } from '../../store/reader/ActionRecord.ts'
import { findTraceTransactions } from '../../store/reader/findTraceTransactions.ts'
import { readTransactions } from '../../store/reader/readTransactions.ts'
import { type TraceRecord, toTraceRecord, traceColumns } from '../../store/reader/TraceRecord.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { listUnclassified, removeUnclassified } from '../../store/writer/unclassifiedBlocks.ts'
import { writeActions } from '../../store/writer/writeActions.ts'
import { classifyTraces } from './classifyTraces.ts'
import { toActionRecord } from './toActionRecord.ts'
import { toTraceInput } from './toTraceInput.ts'

/** Larger ones say nothing to anybody. */
const MAX_TRANSACTIONS = 4000
const PIECE_TRANSACTIONS = 2000

type ClassifyOptions = { readonly maxBlocks: number; readonly onFault: OnFault }

const NONE: ReadonlySet<number> = new Set()

export type ClassifiedBlocks = { readonly blocks: number; readonly traces: number; readonly actions: number }

/**
 * Classifies the traces that ended in the newest blocks that wait for it, inside a transaction, and replaces what was said of them
 * before. What is put on the list meanwhile stays there.
 */
export const classifyBlocks = async (
  client: pg.ClientBase,
  { lease, maxBlocks, onFault }: ClassifyOptions & { readonly lease: Pick<Lease, 'guard'> },
): Promise<ClassifiedBlocks> => {
  const done = await classifyWaiting(client, { maxBlocks, onFault })
  if (done.blocks > 0) await lease.guard(client)
  return done
}

/** The same as a part of a transaction that somebody else guards. Of blocks that it adds nothing was said before. */
export const classifyWaiting = async (
  client: pg.ClientBase,
  { maxBlocks, onFault, added = NONE }: ClassifyOptions & { readonly added?: ReadonlySet<number> },
): Promise<ClassifiedBlocks> => {
  const unclassified = await listUnclassified(client, maxBlocks)
  const { seqnos } = unclassified
  if (seqnos.length === 0) return { blocks: 0, traces: 0, actions: 0 }
  const reader = clientReader(client)
  const traces = (await reader.read(tracesOfBlocks(seqnos).compile())).map(toTraceRecord)
  const replaced = seqnos.filter((seqno) => !added.has(seqno))
  for (const table of replaced.length === 0 ? [] : ['actions', 'action_accounts']) {
    await client.query(`DELETE FROM ${table} WHERE mc_seqno = ANY ($1::int[])`, [replaced])
  }
  let actions = 0
  for (const piece of inPieces(traces)) {
    const records = await classifyPiece(reader, piece, onFault)
    await writeActions(client, records)
    actions += records.length
  }
  await removeUnclassified(client, unclassified)
  return { blocks: seqnos.length, traces: traces.length, actions }
}

const tracesOfBlocks = (seqnos: readonly number[]) =>
  queryBuilder
    .selectFrom('traces')
    .select(traceColumns)
    .where('mc_seqno', 'in', [...seqnos])

const inPieces = function* (traces: readonly TraceRecord[]): Generator<TraceRecord[]> {
  let piece: TraceRecord[] = []
  let transactions = 0
  for (const trace of traces) {
    if (trace.transactions > MAX_TRANSACTIONS) continue
    if (transactions > 0 && transactions + trace.transactions > PIECE_TRANSACTIONS) {
      yield piece
      piece = []
      transactions = 0
    }
    piece.push(trace)
    transactions += trace.transactions
  }
  if (piece.length > 0) yield piece
}

const classifyPiece = async (
  reader: Reader,
  traces: readonly TraceRecord[],
  onFault: OnFault,
): Promise<ActionRecord[]> => {
  const rows = await findTraceTransactions(reader, traces)
  const records = await readTransactions({ points: reader, lists: reader }, rows, undefined, Number.POSITIVE_INFINITY)
  const byTrace = new Map<string, TransactionRecord[]>()
  for (const record of records) {
    const id = toHex(record.traceId)
    const others = byTrace.get(id)
    if (others === undefined) byTrace.set(id, [record])
    else others.push(record)
  }
  // One whose first transactions were dropped with old blocks is not whole any more.
  const whole = traces.filter(({ traceId, transactions }) => byTrace.get(toHex(traceId))?.length === transactions)
  const inputs = whole.map((trace) => toTraceInput(trace, byTrace.get(toHex(trace.traceId)) ?? []))
  const classified = await classifyTraces(reader, inputs, onFault)
  return whole.flatMap((trace, k) => classified[k]!.actions.map((action) => toActionRecord(action, trace)))
}
