import type { CompiledQuery } from 'kysely'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { ReadServer } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import {
  type AccountStatusName,
  decodeMessageBits,
  type ExtraAmounts,
  findAccountStatus,
  STORED_MESSAGE_KIND,
} from '../schema/codes.ts'
import { findPrevious, findRoots, type RelatedRow, type RootRow } from './findTransactions.ts'
import { findContents } from './messageContents.ts'
import { findSentMessages, senderText } from './messageEnds.ts'
import { destinationOf, type MessageRow, receivedRowOf, sourceOf, toMessageRecord } from './messageRecord.ts'
import { rawQuery, spanOf } from './sql.ts'
import {
  keyText,
  type MessageRecord,
  NO_STATE,
  OMITTED_CONTENT,
  type StateSnapshot,
  type StoredContent,
  type TransactionKey,
  type TransactionRecord,
  type TransactionRow,
} from './TransactionRecord.ts'

/** Up to this many rows, pipelined keyed reads are used. */
const MAX_SHORT = 32

/** A transaction with the ends of its messages, which are known before the contents are. */
export type TransactionEnds = Pick<TransactionRecord, 'account' | 'traceId'> & {
  readonly inMessage: { readonly source: Uint8Array | undefined } | undefined
  readonly outMessages: readonly { readonly destination: Uint8Array | undefined }[]
}

/** A record, and whether all is known of it that will ever be: a complete one stays as it is. */
export type ReadTransaction = TransactionRecord & { readonly isComplete: boolean }

type ReadOptions = {
  /** Rows that are at hand: others of the same page, or the one after it. */
  readonly others?: readonly TransactionRow[]
  /** Contents past it are left out. */
  readonly maxContentBytes?: number | undefined
}

/**
 * The full records of transactions, in the order of their rows: sent messages, message contents, previous account states and
 * trace starts, in a fixed number of queries.
 */
export const readTransactions = async (
  server: ReadServer,
  rows: readonly TransactionRow[],
  options?: ReadOptions,
): Promise<TransactionRecord[]> => (await readTransactionsWith(server, rows, async () => undefined, options)).records

/** Like {@link readTransactions}, with what else is wanted of them: `beside` is read while the contents of messages are. */
export const readTransactionsWith = async <T>(
  server: ReadServer,
  rows: readonly TransactionRow[],
  beside: (transactions: readonly TransactionEnds[]) => Promise<T>,
  { others = [], maxContentBytes }: ReadOptions = {},
): Promise<{ readonly records: ReadTransaction[]; readonly beside: T }> => {
  if (rows.length === 0) return { records: [], beside: await beside([]) }
  const reader = rows.length <= MAX_SHORT ? server.keyedReads : server.listReads
  const known = new Map<string, RelatedRow>()
  for (const row of others) known.set(keyText(row.hash), row)
  for (const row of rows) known.set(keyText(row.hash), row)
  const roots = new Map<string, RootRow>(known)
  const received = rows.map(receivedRowOf)
  const readMessages = async () => {
    const among = [...received, ...others.map(receivedRowOf)].filter((row) => row !== undefined)
    const sent = await findSentMessages(reader, rows, among)
    const messages = received.filter((row) => row !== undefined)
    for (const each of sent) messages.push(...each)
    const ends = rows.map((row, k) => ({
      account: row.account,
      traceId: row.trace_id,
      inMessage: received[k] && { source: sourceOf(received[k]) },
      outMessages: sent[k]!.map((message) => ({ destination: destinationOf(message) })),
    }))
    const [contents, besideThem] = await Promise.all([findContents(reader, messages, maxContentBytes), beside(ends)])
    return { sent, contents, besideThem }
  }
  const [{ sent, contents, besideThem }, before, first] = await Promise.all([
    readMessages(),
    findPrevious(reader, listPrevious(rows, known)),
    findRoots(reader, listRoots(rows, known)),
  ])
  for (const row of before) known.set(keyText(row.hash), row)
  for (const row of first) roots.set(keyText(row.hash), row)
  const sentTo = new Set<string>()
  for (const each of sent) for (const { received_by } of each) if (received_by) sentTo.add(keyText(received_by))
  const inMessages = new Map<string, MessageRecord>()
  for (const [k, { hash }] of rows.entries()) {
    const own = received[k]
    const key = keyText(hash)
    if (own !== undefined) inMessages.set(key, toMessageRecord(own, contents, sentTo.has(key)))
  }
  const toOutMessage = (message: MessageRow): MessageRecord =>
    (message.received_by && inMessages.get(keyText(message.received_by))) || toMessageRecord(message, contents)
  const records = rows.map((row, k) =>
    describe(row, {
      root: roots.get(keyText(row.trace_id)),
      previous: row.prev_hash === null ? undefined : known.get(keyText(row.prev_hash)),
      inMessage: inMessages.get(keyText(row.hash)),
      outMessages: sent[k]!.map(toOutMessage),
    }),
  )
  return { records, beside: besideThem }
}

export const transactionsByKeyQuery = (keys: readonly TransactionKey[]): CompiledQuery<TransactionRow> => {
  const seqnos = keys.map(({ mcSeqno }) => mcSeqno)
  const { first, last } = spanOf(seqnos)
  return rawQuery(
    `select t.* from unnest($1::bytea[], $2::bigint[], $3::integer[]) as k(account, lt, mc_seqno)
    cross join lateral (
      select * from transactions as t where t.account = k.account and t.lt = k.lt and t.mc_seqno = k.mc_seqno
        and t.mc_seqno >= $4 and t.mc_seqno <= $5 limit 1
    ) as t`,
    [keys.map(({ account }) => account), keys.map(({ lt }) => lt), seqnos, first, last],
  )
}

const readByKey = batchReads<TransactionKey, TransactionRow>({
  queryOf: transactionsByKeyQuery,
  textOf: senderText,
  textOfRow: senderText,
})

/** In the order of their keys. Deleted ones are left out. */
export const findTransactionsByKey = async (
  server: ReadServer,
  keys: readonly TransactionKey[],
): Promise<TransactionRow[]> => {
  if (keys.length === 0) return []
  const reader = keys.length <= MAX_SHORT ? server.keyedReads : server.listReads
  const rows = await readByKey(reader, keys)
  const byKey = new Map(rows.map((row) => [senderText(row), row]))
  return keys.map((key) => byKey.get(senderText(key))).filter((row) => row !== undefined)
}

type WithPrevious = TransactionRow & { readonly prev_hash: Uint8Array }

const hasPrevious = (row: TransactionRow): row is WithPrevious => row.prev_hash !== null && row.state_before !== null

/** The transactions whose previous ones are not among the known ones. */
const listPrevious = (rows: readonly TransactionRow[], known: ReadonlyMap<string, RelatedRow>): WithPrevious[] =>
  rows.filter(hasPrevious).filter(({ prev_hash }) => !known.has(keyText(prev_hash)))

/** The first transactions of traces that are not among the known ones. */
const listRoots = (rows: readonly TransactionRow[], known: ReadonlyMap<string, RelatedRow>): Uint8Array[] => {
  const wanted = new Map<string, Uint8Array>()
  for (const { trace_id } of rows) {
    const text = keyText(trace_id)
    if (!known.has(text)) wanted.set(text, trace_id)
  }
  return [...wanted.values()]
}

/** Related data of a transaction. */
type Beside = Pick<TransactionRecord, 'inMessage' | 'outMessages'> & {
  /** The first transaction of its trace, and the previous one of its account. */
  readonly root: RootRow | undefined
  readonly previous: RelatedRow | undefined
}

const describe = (row: TransactionRow, { root, previous, inMessage, outMessages }: Beside): ReadTransaction => ({
  account: row.account,
  hash: row.hash,
  lt: row.lt,
  now: row.now >>> 0,
  mcSeqno: row.mc_seqno,
  traceId: row.trace_id,
  prevHash: row.prev_hash ?? undefined,
  prevLt: row.prev_lt,
  origStatus: statusOf(row.orig_status),
  endStatus: statusOf(row.end_status),
  totalFees: row.total_fees ?? BigInt(largeOf(row)['total_fees'] ?? 0),
  totalFeesExtra: (row.total_fees_extra ?? undefined) as ExtraAmounts | undefined,
  description: row.description,
  block: {
    workchain: row.account.length === ADDRESS_KEY_BYTES ? (row.account[0]! << 24) >> 24 : 0,
    shard: BigInt.asUintN(64, row.block_shard),
    seqno: row.block_seqno,
  },
  traceExternalHash: root === undefined ? undefined : findExternalHash(root),
  inMessage,
  outMessages,
  stateBefore: snapshotBefore(row, previous),
  stateAfter: snapshotAfter(row),
  isComplete:
    root !== undefined &&
    (previous !== undefined || row.prev_hash === null || row.state_before === null) &&
    outMessages.length === row.out_count &&
    (inMessage === undefined || hasContents(inMessage)) &&
    outMessages.every(hasContents),
})

const hasContents = ({ body, init }: MessageRecord): boolean => isThere(body) && isThere(init)

const isThere = (content: StoredContent | undefined): boolean =>
  content === undefined || (content.packed !== undefined && content.packed !== OMITTED_CONTENT)

const largeOf = ({ large }: Pick<TransactionRow, 'large'>): Record<string, string> =>
  (large ?? {}) as Record<string, string>

const statusOf = (code: number): AccountStatusName => findAccountStatus(code) ?? 'nonexist'

const findExternalHash = ({ in_bits, in_hash }: RootRow): Uint8Array | undefined =>
  decodeMessageBits(in_bits).kind === STORED_MESSAGE_KIND.externalIn && in_hash !== null ? in_hash : undefined

const snapshotBefore = (row: TransactionRow, previous: RelatedRow | undefined): StateSnapshot => {
  if (row.state_before === null) return NO_STATE
  return previous !== undefined && bytesEqual(previous.state_after, row.state_before)
    ? snapshotAfter(previous)
    : { hash: row.state_before, known: undefined }
}

const snapshotAfter = (row: RelatedRow): StateSnapshot => {
  const status = statusOf(row.end_status)
  const large = largeOf(row)['balance']
  const balance = row.balance ?? (large === undefined ? undefined : BigInt(large))
  // The status tells whether there is an account, even in the middle of a block.
  if (status === 'nonexist') return { ...NO_STATE, hash: row.state_after }
  if (balance === undefined) return { hash: row.state_after, known: undefined }
  return {
    hash: row.state_after,
    known: {
      status,
      balance,
      extra: (row.balance_extra ?? undefined) as ExtraAmounts | undefined,
      frozenHash: row.frozen_hash ?? undefined,
      dataHash: row.data_hash ?? undefined,
      codeHash: row.code_hash ?? undefined,
    },
  }
}
