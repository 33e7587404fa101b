import type pg from 'pg'
import type { OnFault } from '../../actions/classifyTrace.ts'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { pause } from '../../primitives/scheduling.ts'
import { clientReader, type Database, type Reader } from '../../store/connect/Database.ts'
import { reasonOf } from '../../store/errors.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import { readTransactions } from '../../store/reader/readTransactions.ts'
import type { TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import { findTraceTransactions, type TraceRecord, toTraceRecord, traceColumns } from '../../store/reader/traces.ts'
import { queryBuilder } from '../../store/schema/tables.ts'
import { listUnclassified, noteClassifier, removeUnclassified, writeActions } from '../../store/writer/actions.ts'
import type { Lease } from '../../store/writer/lease.ts'
import type { ClassifyCommitted } from '../commit/IndexWriter.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { classifyTraces, toActionRecord, toTraceInput } from './classifyTraces.ts'

/** Larger traces are not classified. */
const MAX_TRACE_TRANSACTIONS = 4000
const PIECE_TRANSACTIONS = 2000

type ClassifyOptions = { readonly maxBlocks: number; readonly onFault: OnFault }

const NONE: ReadonlySet<number> = new Set()

export type ClassifiedBlocks = { readonly blocks: number; readonly traces: number; readonly actions: number }

/**
 * Classifies the traces that ended in the newest queued blocks, inside a transaction, and replaces their actions. Blocks queued
 * meanwhile stay queued.
 */
const classifyBlocks = async (
  client: pg.ClientBase,
  { lease, maxBlocks, onFault }: ClassifyOptions & { readonly lease: Pick<Lease, 'guard'> },
): Promise<ClassifiedBlocks> => {
  const done = await classifyWaiting(client, { maxBlocks, onFault })
  if (done.blocks > 0) await lease.guard(client)
  return done
}

/** The same inside the caller's transaction. Blocks that it adds have no actions yet. */
const classifyWaiting = async (
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
    if (trace.transactions > MAX_TRACE_TRANSACTIONS) continue
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
  const records = await readTransactions({ keyedReads: reader, listReads: reader }, rows, {
    maxContentBytes: Number.POSITIVE_INFINITY,
  })
  const byTrace = new Map<string, TransactionRecord[]>()
  for (const record of records) {
    const id = toHex(record.traceId)
    const others = byTrace.get(id)
    if (others === undefined) byTrace.set(id, [record])
    else others.push(record)
  }
  // A trace whose first transactions were dropped by retention is incomplete.
  const whole = traces.filter(({ traceId, transactions }) => byTrace.get(toHex(traceId))?.length === transactions)
  const inputs = whole.map((trace) => toTraceInput(trace, byTrace.get(toHex(trace.traceId)) ?? []))
  const classified = await classifyTraces(reader, inputs, onFault)
  return whole.flatMap((trace, k) => classified[k]!.actions.map((action) => toActionRecord(action, trace)))
}

export type ClassifierOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly lease: Pick<Lease, 'guard'>
  readonly logger: Logger
  /** Stops when the queue is empty, instead of waiting for more. */
  readonly untilDone?: boolean
}

const MAX_BLOCKS = 32
const IDLE_MS = 100
const RETRY_MS = 1000

/** Classifies queued blocks, newest first. Failures are retried: nothing is lost by waiting. */
export class Classifier {
  /** Dropped matches by pattern, and traces that failed as a whole. */
  readonly dropped = new Map<string, number>()
  traces = 0
  actions = 0
  readonly #options: ClassifierOptions
  /** What the database says of this classifier; at the start, nobody knows. */
  #noted: 'working' | 'failing' | undefined

  constructor(options: ClassifierOptions) {
    this.#options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    const { logger, untilDone = false } = this.#options
    while (!signal.aborted) {
      try {
        const { blocks } = await this.#step(signal)
        if (this.#noted !== 'working') await this.#note('working', undefined)
        if (blocks > 0) continue
        if (untilDone) return
        await pause(IDLE_MS, signal)
      } catch (error) {
        if (signal.aborted) return
        // A database that is away cannot be told either, and /ready says so.
        await this.#note('failing', reasonOf(error)).catch(() => undefined)
        if (!(error instanceof CodedError) || !error.retryable) throw error
        logger.warn('trace classification failed, retrying', { error })
        await pause(RETRY_MS, signal).catch(() => undefined)
      }
    }
  }

  async #note(state: 'working' | 'failing', failure: string | undefined): Promise<void> {
    this.#noted = undefined
    await this.#options.database.transaction((client) => noteClassifier(client, failure))
    this.#noted = state
  }

  async #step(signal: AbortSignal): Promise<{ readonly blocks: number }> {
    const { database, lease } = this.#options
    const done = await database.transaction(
      (client) =>
        classifyBlocks(client, {
          lease,
          maxBlocks: MAX_BLOCKS,
          onFault: (matcher) => {
            const name = matcher?.name ?? 'trace'
            this.dropped.set(name, (this.dropped.get(name) ?? 0) + 1)
          },
        }),
      signal,
    )
    this.traces += done.traces
    this.actions += done.actions
    return done
  }
}

/** Limits for classifying inside the commit, so that the head is not delayed. */
const MAX_TRANSACTIONS_AT_ONCE = 500
const MAX_BLOCKS_AT_ONCE = 8

/**
 * Classifies the traces that a batch at the head has finished, in the same transaction, so that traces and actions appear
 * together. If that fails or is too much work, the queue is left to the classifier.
 */
export const createInlineClassifier =
  ({ logger, onFault }: { readonly logger: Logger; readonly onFault: OnFault }): ClassifyCommitted =>
  async (client, { blockSets, linked }) => {
    const seqnos = new Set(linked.finished.map(({ endSeqno }) => endSeqno))
    if (seqnos.size === 0 || seqnos.size > MAX_BLOCKS_AT_ONCE || countTransactions(linked) > MAX_TRANSACTIONS_AT_ONCE)
      return
    await client.query('SAVEPOINT classify')
    try {
      const added = new Set(blockSets.map(({ seqno }) => seqno))
      await classifyWaiting(client, { maxBlocks: seqnos.size, onFault, added })
    } catch (error) {
      // A lost connection fails here, too.
      await client.query('ROLLBACK TO SAVEPOINT classify')
      logger.warn('inline trace classification failed, left to the classifier', { error })
    }
    await client.query('RELEASE SAVEPOINT classify')
  }

const countTransactions = ({ finished }: IndexBatch['linked']): number =>
  finished.reduce((sum, { transactions }) => sum + transactions, 0)
