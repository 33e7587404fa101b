import { type RawBuilder, sql } from 'kysely'
import { toSignedShard } from '../../primitives/shard.ts'
import type { Order } from './page.ts'
import { anyLt, type LtWindow, narrowLt, type TimeWindow, toInt4, toInt8 } from './timeWindow.ts'

/** Which transactions are wanted; what is given is joined by and. */
export type TransactionsQuestion = {
  /** The block that holds them. */
  readonly workchain?: number | undefined
  readonly shard?: bigint | undefined
  readonly seqno?: number | undefined
  readonly mcSeqno?: number | undefined
  readonly accounts?: readonly Uint8Array[] | undefined
  readonly excludedAccounts?: readonly Uint8Array[] | undefined
  readonly hashes?: readonly Uint8Array[] | undefined
  readonly lt?: bigint | undefined
  readonly time: TimeWindow
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export type Condition = RawBuilder<boolean>

export const hasTime = ({ from, to }: TimeWindow): boolean => from !== undefined || to !== undefined

type OrderKind = 'account' | 'hash' | 'lt of one' | 'time' | 'lt'

const orderKindOf = (question: TransactionsQuestion): OrderKind => {
  if (question.lt !== undefined) return 'account'
  if (question.hashes !== undefined) return 'hash'
  // The times of one account go the way of its logical times.
  if (question.accounts?.length === 1) return 'lt of one'
  return hasTime(question.time) && question.mcSeqno === undefined ? 'time' : 'lt'
}

/** The columns are those of `transactions as t`. */
export const transactionsOrder = (question: TransactionsQuestion): Order => {
  const { direction } = question
  const kind = orderKindOf(question)
  const lt = { column: 't.lt', direction }
  const account = { column: 't.account', direction: 'asc' as const }
  const columns = {
    account: [{ column: 't.account', direction }],
    hash: [{ column: 't.hash', direction }],
    'lt of one': [lt],
    time: [{ column: 't.now', direction }, lt, account],
    lt: [lt, account],
  }[kind]
  return { name: `transactions by ${kind} ${direction}`, columns }
}

/** The logical times outside of which there is nothing to be found. */
export const ltWindowOf = ({
  lt,
  startLt,
  endLt,
}: Pick<TransactionsQuestion, 'lt' | 'startLt' | 'endLt'>): LtWindow => {
  const window = { from: toInt8(startLt ?? 0n), to: toInt8(endLt ?? anyLt.to) }
  // Beyond what the columns hold there is nothing at all.
  if (startLt !== undefined && startLt > anyLt.to) return { from: 1n, to: 0n }
  if (lt === undefined) return window
  return lt > anyLt.to ? { from: 1n, to: 0n } : narrowLt(window, { from: lt, to: lt })
}

/** What a window says of a column of `bigint`. */
export const isWithinLt = (column: string, { from, to }: LtWindow): Condition[] => {
  const ref = sql.ref(column)
  if (from === to) return [sql<boolean>`${ref} = ${sql.val(from)}`]
  return [
    ...(from > anyLt.from ? [sql<boolean>`${ref} >= ${sql.val(from)}`] : []),
    ...(to < anyLt.to ? [sql<boolean>`${ref} <= ${sql.val(to)}`] : []),
  ]
}

/** What a window says of a column of times. */
export const isWithinTime = (column: string, { from, to }: TimeWindow): Condition[] => [
  ...(from === undefined ? [] : [sql<boolean>`${sql.ref(column)} >= ${sql.val(toInt4(from))}`]),
  ...(to === undefined ? [] : [sql<boolean>`${sql.ref(column)} <= ${sql.val(toInt4(to))}`]),
]

/** The first byte of an account, as it stands for a workchain. */
const workchainByte = (workchain: number): number => workchain & 0xff

type Loose = Pick<TransactionsQuestion, 'workchain' | 'shard' | 'seqno' | 'excludedAccounts'>

/** Conditions that no index leads to: they are told of rows that something else has found. */
export const looseConditions = ({ workchain, shard, seqno, excludedAccounts }: Loose): Condition[] => [
  ...(workchain === undefined
    ? []
    : [
        workchain === (workchain << 24) >> 24
          ? sql<boolean>`get_byte(t.account, 0) = ${sql.val(workchainByte(workchain))}`
          : sql<boolean>`false`,
      ]),
  ...(shard === undefined ? [] : [sql<boolean>`t.block_shard = ${sql.val(toSignedShard(shard))}`]),
  ...(seqno === undefined ? [] : [sql<boolean>`t.block_seqno = ${sql.val(seqno)}`]),
  ...(excludedAccounts === undefined ? [] : [sql<boolean>`t.account <> all(${sql.val(excludedAccounts)})`]),
]
