import type pg from 'pg'
import { compareBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { STORED_MESSAGE_KIND } from '../../store/schema/codes.ts'
import type { Tables } from '../../store/schema/tables.ts'
import { toUnreceivedMessage } from '../../store/schema/unreceivedMessage.ts'

type LtBounds = { readonly start_lt: bigint; readonly end_lt: bigint }

const MAX_LT = 2n ** 63n - 1n

/** Bounds of the logical times of blocks, to find their rows: no index is by masterchain block. */
export const ltWindow = (blocks: readonly LtBounds[]): readonly [lowest: bigint, highest: bigint] => [
  blocks.reduce((least, { start_lt }) => (start_lt < least ? start_lt : least), MAX_LT),
  blocks.reduce((most, { end_lt }) => (end_lt > most ? end_lt : most), 0n),
]

type MessageRow = Tables['unreceived_messages']

const keyOf = (account: Uint8Array, lt: bigint): string => `${toHex(account)} ${lt}`

/** Messages by sender and logical time, received and unreceived. */
class StoredMessages {
  readonly #unreceived: ReadonlyMap<string, MessageRow>
  readonly #receivers: ReadonlyMap<string, TransactionRow>

  constructor(unreceived: readonly MessageRow[], receivers: readonly TransactionRow[]) {
    this.#unreceived = new Map(unreceived.map((row) => [keyOf(row.account, row.created_lt), row]))
    this.#receivers = new Map(receivers.map((row) => [keyOf(row.in_source!, row.in_created_lt!), row]))
  }

  /** The sent messages of transactions, in order. Missing ones are left out. */
  listSent(senders: readonly TransactionRow[]): { readonly messages: MessageRow[]; readonly doubled: number[] } {
    const messages: MessageRow[] = []
    const doubled: number[] = []
    for (const { account, lt, out_count, mc_seqno } of senders) {
      for (let k = 1n; k <= BigInt(out_count); k++) {
        const key = keyOf(account, lt + k)
        const receiver = this.#receivers.get(key)
        const row =
          this.#unreceived.get(key) ??
          (receiver && toUnreceivedMessage(receiver, { mc_seqno, trace_id: receiver.trace_id }))
        if (row !== undefined) messages.push(row)
        if (receiver !== undefined && this.#unreceived.has(key)) doubled.push(receiver.mc_seqno)
      }
    }
    return { messages, doubled }
  }
}

type TransactionRow = Tables['transactions']

/** The stored rows of a masterchain block, in the order of writing. */
export type StoredRows = {
  readonly seqno: number
  readonly blocks: readonly Tables['blocks'][]
  readonly shardTops: readonly Tables['shard_tops'][]
  /** By lt, workchain and account. */
  readonly transactions: readonly TransactionRow[]
  /** In the order of their senders, from both tables. */
  readonly messages: readonly Tables['unreceived_messages'][]
  /** For messages stored both as received and unreceived: the masterchain blocks of their receivers. */
  readonly doubled: readonly number[]
}

/** Rows of consecutive masterchain blocks. Transactions are found by the logical times of their blocks. */
export const readStoredRows = async (
  client: pg.ClientBase,
  first: number,
  last: number,
): Promise<readonly StoredRows[]> => {
  const select = async <Row extends pg.QueryResultRow>(
    sql: string,
    values: unknown[] = [first, last],
  ): Promise<Row[]> => (await client.query<Row>(sql, values)).rows
  const blocks = await select<Tables['blocks']>('SELECT * FROM blocks WHERE mc_seqno BETWEEN $1 AND $2')
  const tops = await select<Tables['shard_tops']>('SELECT * FROM shard_tops WHERE mc_seqno BETWEEN $1 AND $2')
  const window = [first, last, ...ltWindow(blocks)]
  const transactions = await select<TransactionRow>(
    'SELECT * FROM transactions WHERE mc_seqno BETWEEN $1 AND $2 AND lt BETWEEN $3 AND $4',
    window,
  )
  transactions.sort(compareTransactions)
  const unreceived = await select<Tables['unreceived_messages']>(
    'SELECT * FROM unreceived_messages WHERE mc_seqno BETWEEN $1 AND $2 AND created_lt BETWEEN $3 AND $4',
    window,
  )
  const messages = new StoredMessages(unreceived, await readReceivers(client, transactions))
  return Array.from({ length: last - first + 1 }, (_, k) => {
    const seqno = first + k
    const own = transactions.filter((row) => row.mc_seqno === seqno)
    return {
      seqno,
      blocks: blocks.filter((row) => row.mc_seqno === seqno),
      shardTops: tops.filter((row) => row.mc_seqno === seqno),
      transactions: own,
      ...messages.listSent(own),
    }
  })
}

const workchainOf = ({ account }: TransactionRow): number => (account[0]! << 24) >> 24

const compareTransactions = (a: TransactionRow, b: TransactionRow): number =>
  Number(a.lt - b.lt) || workchainOf(a) - workchainOf(b) || compareBytes(a.account, b.account)

/** The transactions that received the messages of these. */
const readReceivers = async (
  client: pg.ClientBase,
  transactions: readonly TransactionRow[],
): Promise<readonly TransactionRow[]> => {
  const lts = transactions.flatMap(({ lt, out_count }) =>
    Array.from({ length: out_count }, (_, k) => lt + BigInt(k + 1)),
  )
  const { rows } = await client.query<TransactionRow>(
    `SELECT * FROM transactions
     WHERE in_created_lt = ANY ($1::bigint[]) AND in_source = ANY ($2::bytea[]) AND in_bits & 7 = ${STORED_MESSAGE_KIND.internal}`,
    [lts, transactions.map(({ account }) => account)],
  )
  return rows
}
