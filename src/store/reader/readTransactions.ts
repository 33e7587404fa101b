import type { CompiledQuery } from 'kysely'
import { ADDRESS_KEY_BYTES } from '../../primitives/addressKey.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { type AccountStatusName, findAccountStatus } from '../codes/accountStatus.ts'
import type { ExtraAmounts } from '../codes/extraAmounts.ts'
import { decodeMessageBits, STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { ReadServer } from '../connect/Database.ts'
import { findContents } from './findContents.ts'
import { findSentMessages, senderText } from './findSentMessages.ts'
import { findRelated, type RelatedRow } from './findTransactionsByHash.ts'
import { keyText } from './keyText.ts'
import { type MessageRow, receivedRowOf, toMessageRecord } from './MessageRow.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'
import type { StateSnapshot, TransactionKey, TransactionRecord, TransactionRow } from './TransactionRecord.ts'

/** So many rows may be looked up in line with the questions of others. */
const MAX_SHORT = 32

/**
 * All that is told of transactions, in the order in which their rows are given: what they sent, what messages held, what accounts
 * were before, and what began their traces. However many rows there are, it takes the same few questions.
 */
export const readTransactions = async (
  server: ReadServer,
  rows: readonly TransactionRow[],
): Promise<TransactionRecord[]> => {
  if (rows.length === 0) return []
  const reader = rows.length <= MAX_SHORT ? server.points : server.lists
  const [sent, others] = await Promise.all([
    findSentMessages(reader, rows, rows),
    findRelated(reader, listRelated(rows)),
  ])
  const received = rows.map(receivedRowOf)
  const messages = [...received, ...[...sent.values()].flat()].filter((row): row is MessageRow => row !== undefined)
  const contents = await findContents(reader, messages)
  const known = new Map([...rows, ...others].map((row): [string, RelatedRow] => [keyText(row.hash), row]))
  return rows.map((row, k) => {
    const own = received[k]
    const root = known.get(keyText(row.trace_id))
    const previous = row.prev_hash === null ? undefined : known.get(keyText(row.prev_hash))
    return {
      ...describe(row),
      traceExternalHash: root === undefined ? undefined : findExternalHash(root),
      inMessage: own && toMessageRecord(own, contents),
      outMessages: (sent.get(senderText(row)) ?? []).map((message) => toMessageRecord(message, contents)),
      stateBefore: snapshotBefore(row, previous),
      stateAfter: snapshotAfter(row),
    }
  })
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

/** As {@link readTransactions}, by keys, in their order. One that is no longer there is left out. */
export const readTransactionsByKey = async (
  server: ReadServer,
  keys: readonly TransactionKey[],
): Promise<TransactionRecord[]> => {
  if (keys.length === 0) return []
  const reader = keys.length <= MAX_SHORT ? server.points : server.lists
  const rows = await reader.read(transactionsByKeyQuery(keys))
  const byKey = new Map(rows.map((row) => [senderText(row), row]))
  const found = keys.map((key) => byKey.get(senderText(key))).filter((row) => row !== undefined)
  return readTransactions(server, found)
}

/** The transactions before those given and the first ones of their traces, where they are not among them. */
const listRelated = (rows: readonly TransactionRow[]): Uint8Array[] => {
  const given = new Set(rows.map(({ hash }) => keyText(hash)))
  const wanted = new Map<string, Uint8Array>()
  for (const { prev_hash, state_before, trace_id } of rows) {
    for (const hash of [state_before === null ? null : prev_hash, trace_id]) {
      if (hash !== null && !given.has(keyText(hash))) wanted.set(keyText(hash), hash)
    }
  }
  return [...wanted.values()]
}

const describe = (row: TransactionRow) => ({
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
})

const largeOf = ({ large }: Pick<TransactionRow, 'large'>): Record<string, string> =>
  (large ?? {}) as Record<string, string>

const statusOf = (code: number): AccountStatusName => findAccountStatus(code) ?? 'nonexist'

const findExternalHash = ({ in_bits, in_hash }: RelatedRow): Uint8Array | undefined =>
  decodeMessageBits(in_bits).kind === STORED_MESSAGE_KIND.externalIn && in_hash !== null ? in_hash : undefined

const NOBODY: StateSnapshot = {
  hash: undefined,
  known: {
    status: 'nonexist',
    balance: 0n,
    extra: undefined,
    frozenHash: undefined,
    dataHash: undefined,
    codeHash: undefined,
  },
}

const snapshotBefore = (row: TransactionRow, previous: RelatedRow | undefined): StateSnapshot => {
  if (row.state_before === null) return NOBODY
  return previous !== undefined && bytesEqual(previous.state_after, row.state_before)
    ? snapshotAfter(previous)
    : { hash: row.state_before, known: undefined }
}

const snapshotAfter = (row: RelatedRow): StateSnapshot => {
  const status = statusOf(row.end_status)
  const large = largeOf(row)['balance']
  const balance = row.balance ?? (large === undefined ? undefined : BigInt(large))
  // Whether there is an account at all the status tells, even in the middle of a block.
  if (status === 'nonexist') return { ...NOBODY, hash: row.state_after }
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
