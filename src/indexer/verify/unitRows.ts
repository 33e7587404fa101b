import type pg from 'pg'
import { compareBytes } from '../../primitives/bytes.ts'
import { STORED_MESSAGE_KIND } from '../../store/codes/messageBits.ts'
import type { Tables } from '../../store/tables.ts'
import { ltWindow } from './ltWindow.ts'
import { StoredMessages } from './StoredMessages.ts'

type TransactionRow = Tables['transactions']

/** The rows of a masterchain block as they are in the database, in the order in which they were written. */
export type UnitRows = {
  readonly seqno: number
  readonly blocks: readonly Tables['blocks'][]
  readonly shardTops: readonly Tables['shard_tops'][]
  /** By lt, workchain and account. */
  readonly transactions: readonly TransactionRow[]
  /** In the order of their senders, wherever they are kept. */
  readonly messages: readonly Tables['unreceived_messages'][]
  /** Of messages that are kept both as received and as not: the masterchain blocks of those who received them. */
  readonly doubled: readonly number[]
}

/** Rows of consecutive masterchain blocks. Those of transactions are looked for between the logical times of their blocks. */
export const readUnitRows = async (
  client: pg.ClientBase,
  first: number,
  last: number,
): Promise<readonly UnitRows[]> => {
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

/** The transactions that received what these sent. */
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
