import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { ReadServer } from '../../store/connect/Database.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import { findShardTops, listBlocks } from '../../store/reader/blocks.ts'
import {
  findBlockActions,
  findBlockStatus,
  findJettonBalances,
  findWalletFacts,
  type IndexedBlockStatus,
  traceBeginningQuery,
} from '../../store/reader/eventRows.ts'
import type { Page, Paged } from '../../store/reader/page.ts'
import type { PendingTransaction } from '../../store/reader/pending.ts'
import { readTransactions } from '../../store/reader/readTransactions.ts'
import {
  keyText,
  type MessageRecord,
  type TransactionRecord,
  type TransactionRow,
} from '../../store/reader/TransactionRecord.ts'
import { findTraceTransactions, listTraces, type TraceRecord } from '../../store/reader/traces.ts'
import { listTransactions } from '../../store/reader/transactions.ts'
import type { BlockEvents } from '../events.ts'
import { type BlockRows, makeBlockEvents, type TraceRows } from './makeBlockEvents.ts'

/** Why the events of a block cannot be read at the moment: not indexed, not classified yet, or it was replaced meanwhile. */
export type Unready = 'absent' | 'unclassified' | 'replaced'

export type LoadedBlock = BlockEvents & {
  readonly rootHash: Uint8Array
  readonly previousHash: Uint8Array | undefined
  /** Its actions may change soon: the block waits for another classification. */
  readonly isProvisional: boolean
}

/** Larger traces are shown by their first transactions, and marked as incomplete. v3 has the same limit. */
const MAX_TRACE = 4000
/** Transactions of earlier blocks that the traces of one block may have together; further traces are cut like large ones. */
const MAX_EARLIER = 20_000
const MAX_CUT = 256

/** Transactions read at once: it bounds statements and their results. */
const PAGE = 1000

/**
 * Makes the events of a masterchain block from its committed rows, in a fixed number of round trips. Memory: the transactions of
 * the block, which the limits of blocks bound, and at most `MAX_EARLIER` of earlier ones.
 */
export const readBlockEvents = async (server: ReadServer, mcSeqno: number): Promise<LoadedBlock | Unready> => {
  const { listReads, keyedReads } = server
  const window = {
    startUtime: undefined,
    endUtime: undefined,
    startLt: undefined,
    endLt: undefined,
    direction: 'asc',
  } as const
  const [status, blocks, tops, traces, own, balances] = await Promise.all([
    findBlockStatus(keyedReads, mcSeqno),
    readPages((page) => listBlocks(listReads, { mcSeqno, direction: 'asc' }, page)),
    findShardTops(listReads, mcSeqno),
    readPages((page) => listTraces(listReads, { mcSeqno, window }, page)),
    readPages((page) => listTransactions(listReads, { mcSeqno, time: {}, direction: 'asc' }, page)),
    findJettonBalances(listReads, mcSeqno),
  ])
  if (status === undefined) return 'absent'
  const plan = planTraces(traces, mcSeqno)
  const [earlier, actions] = await Promise.all([
    readEarlier(server, plan),
    findBlockActions(listReads, mcSeqno, traces),
  ])
  if (status.isQueued && traces.length > 0 && actions.length === 0) return 'unclassified'
  const rows = joinRows(own, earlier)
  const [transactions, wallets] = await Promise.all([
    readRecords(server, rows, createSettle(own, traces)),
    findWalletFacts(listReads, listAccounts(rows)),
  ])
  const after = await findBlockStatus(keyedReads, mcSeqno)
  if (after === undefined || !isSame(status, after)) return 'replaced'
  const { utime, rootHash, previousHash, isQueued } = after
  const all: BlockRows = {
    mcSeqno,
    utime,
    blocks,
    tops: tops.filter(({ workchain }) => workchain !== masterchain),
    transactions: transactions.filter((transaction) => transaction.mcSeqno === mcSeqno),
    traces: joinTraces(traces, plan, transactions, actions),
    balances,
    wallets: wallets.filter(({ sinceLt }) => blocks.some(({ endLt }) => sinceLt <= endLt)),
  }
  return { ...makeBlockEvents(all), rootHash, previousHash, isProvisional: isQueued || status.isQueued }
}

const isSame = (a: IndexedBlockStatus, b: IndexedBlockStatus): boolean =>
  a.committedAtMs === b.committedAtMs && bytesEqual(a.rootHash, b.rootHash)

const readPages = async <Row>(read: (page: Page) => Promise<Paged<Row>>): Promise<readonly Row[]> => {
  const first = await read({ limit: PAGE, offset: 0, after: undefined })
  if (first.next === undefined) return first.rows
  const all = [...first.rows]
  for (let after: Page['after'] = first.next; after !== undefined; ) {
    const { rows, next } = await read({ limit: PAGE, offset: 0, after })
    for (const row of rows) all.push(row)
    after = next
  }
  return all
}

/** How the transactions of the traces of a block are read. */
type TracePlan = {
  /** They began in an earlier block. */
  readonly longer: readonly TraceRecord[]
  /** Only their first transactions are read. */
  readonly cut: ReadonlySet<TraceRecord>
}

/** The order of the traces decides, so that every reader makes the same plan. */
const planTraces = (traces: readonly TraceRecord[], mcSeqno: number): TracePlan => {
  const longer: TraceRecord[] = []
  const cut = new Set<TraceRecord>()
  let room = MAX_EARLIER
  for (const trace of traces) {
    if (trace.startSeqno >= mcSeqno) continue
    if (trace.transactions > MAX_TRACE || trace.transactions > room) cut.add(trace)
    else {
      longer.push(trace)
      room -= trace.transactions
    }
  }
  return { longer, cut }
}

const readEarlier = async ({ listReads }: ReadServer, { longer, cut }: TracePlan): Promise<TransactionRow[]> => {
  const whole = await findTraceTransactions(listReads, longer)
  for (const trace of cut) whole.push(...(await listReads.read(traceBeginningQuery(trace, MAX_CUT))))
  return whole
}

/** Each once. */
const joinRows = (own: readonly TransactionRow[], earlier: readonly TransactionRow[]): readonly TransactionRow[] => {
  if (earlier.length === 0) return own
  const rows = new Map<string, TransactionRow>()
  for (const row of own) rows.set(keyText(row.hash), row)
  for (const row of earlier) if (!rows.has(keyText(row.hash))) rows.set(keyText(row.hash), row)
  return [...rows.values()]
}

type Settle = (record: TransactionRecord) => TransactionRecord

/**
 * Leaves out what happened after the block, so that an event does not depend on when it is read: the receivers of messages of
 * traces that go on in later blocks.
 */
const createSettle = (own: readonly TransactionRow[], traces: readonly TraceRecord[]): Settle => {
  const finished = new Set(traces.map(({ traceId }) => keyText(traceId)))
  const present = new Set(own.map(({ hash }) => keyText(hash)))
  const isLater = ({ receivedBy }: MessageRecord): boolean =>
    receivedBy !== undefined && !present.has(keyText(receivedBy))
  return (record) =>
    finished.has(keyText(record.traceId)) || !record.outMessages.some(isLater)
      ? record
      : {
          ...record,
          outMessages: record.outMessages.map((message) =>
            isLater(message) ? { ...message, receivedBy: undefined } : message,
          ),
        }
}

const readRecords = async (
  server: ReadServer,
  rows: readonly TransactionRow[],
  settle: Settle,
): Promise<PendingTransaction[]> => {
  const records: PendingTransaction[] = []
  for (let at = 0; at < rows.length; at += PAGE) {
    const page = await readTransactions(server, rows.slice(at, at + PAGE), {
      maxContentBytes: Number.POSITIVE_INFINITY,
    })
    for (const record of page) records.push({ ...settle(record), isEmulated: false, finality: 'finalized' })
  }
  return records
}

const listAccounts = (rows: readonly TransactionRow[]): Uint8Array[] => {
  const accounts = new Map<string, Uint8Array>()
  for (const { account } of rows) accounts.set(keyText(account), account)
  return [...accounts.values()]
}

const joinTraces = (
  traces: readonly TraceRecord[],
  { cut }: TracePlan,
  transactions: readonly PendingTransaction[],
  actions: readonly ActionRecord[],
): TraceRows[] => {
  const membersOf = groupByTrace(transactions)
  const actionsOf = groupByTrace(actions)
  return traces.map((trace) => {
    const id = keyText(trace.traceId)
    const members = membersOf.get(id) ?? []
    return {
      trace,
      // The transactions of this block are there, too, even those after the cut.
      transactions: cut.has(trace) ? firstOf(members) : members,
      actions: (actionsOf.get(id) ?? []).map((action) => ({ ...action, finality: 'finalized' as const })),
    }
  })
}

const firstOf = (members: readonly PendingTransaction[]): PendingTransaction[] =>
  members.toSorted((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0)).slice(0, MAX_CUT)

const groupByTrace = <T extends { readonly traceId: Uint8Array | undefined }>(
  items: readonly T[],
): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const id = keyText(item.traceId!)
    const others = groups.get(id)
    if (others === undefined) groups.set(id, [item])
    else others.push(item)
  }
  return groups
}
