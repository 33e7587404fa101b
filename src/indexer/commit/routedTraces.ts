import type pg from 'pg'
import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { MAX_ROUTED_ACCOUNTS, routedTraces } from '../../store/distributed/routedTraces.ts'
import { copyChunks, RowEncoder } from '../../store/writer/copyRows.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { findTraceAccounts, type TraceAccounts, toFinishedRow } from './traces.ts'

const HASH_BYTES = 32

/**
 * Writes the finished traces of a batch on a cluster, with their accounts, which name the workers that have their transactions.
 * The transactions are written already. Returns the accounts.
 */
export const copyRoutedTraces = async (
  client: pg.ClientBase,
  { blockSets, linked }: Pick<IndexBatch, 'blockSets' | 'linked'>,
): Promise<TraceAccounts> => {
  const { finished } = linked
  if (finished.length === 0) return new Map()
  const here = collectAccounts(blockSets)
  const isHere = ({ traceId, transactions }: (typeof finished)[number]): boolean =>
    here.get(toHex(traceId))?.transactions === transactions
  const others = finished.filter((trace) => !isHere(trace))
  const stored = others.length === 0 ? new Map() : await findTraceAccounts(client, others)
  const accounts = new Map<string, readonly Uint8Array[]>(stored)
  for (const trace of finished) {
    const id = toHex(trace.traceId)
    if (isHere(trace)) accounts.set(id, [...here.get(id)!.accounts.values()])
  }
  const encoder = new RowEncoder(routedTraces)
  for (const trace of finished) {
    const own = accounts.get(toHex(trace.traceId)) ?? []
    const isRouted = own.length > 0 && own.length <= MAX_ROUTED_ACCOUNTS
    encoder.add({ ...toFinishedRow(trace), accounts: isRouted ? own : null })
  }
  await copyChunks(client, 'traces', encoder.columns, [encoder.take()])
  return accounts
}

type OwnTrace = { transactions: number; readonly accounts: Map<string, Uint8Array> }

/** The traces of the transactions in a batch. The last column of a transaction's row is the trace id. */
const collectAccounts = (blockSets: readonly DecodedBlockSet[]): ReadonlyMap<string, OwnTrace> => {
  const traces = new Map<string, OwnTrace>()
  for (const { transactions } of blockSets) {
    const { count, accounts, rows } = transactions
    for (let k = 0; k < count; k++) {
      const end = rows.ends[k]!
      const id = toHex(rows.bytes.subarray(end - HASH_BYTES, end))
      const account = accounts.subarray(k * ADDRESS_KEY_BYTES, (k + 1) * ADDRESS_KEY_BYTES)
      const own = traces.get(id) ?? { transactions: 0, accounts: new Map() }
      traces.set(id, own)
      own.transactions++
      own.accounts.set(toHex(account), account)
    }
  }
  return traces
}
