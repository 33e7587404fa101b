import { RowEncoder } from '../../store/copy/RowEncoder.ts'
import { tables } from '../../store/tables.ts'
import { digestRows } from '../decode/digest.ts'
import type { UnitRows } from './unitRows.ts'

const transactions = new RowEncoder(tables.transactions)
const messages = new RowEncoder(tables.unreceived_messages)
const NO_TRACE_ID = new Uint8Array(32)

/** The digest of what the database has of a masterchain block: that of `indexed_blocks` where nothing was changed or lost. */
export const digestStored = (rows: UnitRows): Uint8Array => {
  for (const row of rows.transactions) transactions.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  for (const row of rows.messages) messages.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  return digestRows({
    blocks: rows.blocks,
    shardTops: rows.shardTops,
    transactions: { rows: { bytes: transactions.take() } },
    messages: { rows: { bytes: messages.take() } },
  })
}

// The database keeps the names in an order of its own; decoding writes them in the order of the columns.
const LARGE_COLUMNS = ['total_fees', 'balance', 'in_value', 'in_fwd_fee', 'in_ihr_fee', 'value', 'fwd_fee', 'ihr_fee']

const inOrder = (large: UnitRows['transactions'][number]['large']): Record<string, string> | null => {
  if (large === null) return null
  const given = large as Record<string, string>
  return Object.fromEntries(LARGE_COLUMNS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}
