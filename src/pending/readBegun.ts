import type { ReadServer } from '../store/connect/Database.ts'
import { findTransactionsByHash } from '../store/reader/findTransactions.ts'
import { readTransactions } from '../store/reader/readTransactions.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'
import { findTraceTransactions } from '../store/reader/traces.ts'

const MAX_SEQNO = 0x7fffffff

/** The transactions of a trace that are in the index, by logical time, as far as it is one that can be shown. */
export const readBegun = async (server: ReadServer, traceId: Uint8Array): Promise<TransactionRecord[]> => {
  const [root] = await findTransactionsByHash(server.lists, [traceId])
  if (root === undefined) return []
  const span = {
    traceId,
    startLt: root.lt,
    endLt: root.lt,
    startUtime: root.now,
    endUtime: root.now,
    startSeqno: root.mc_seqno,
    endSeqno: MAX_SEQNO,
    transactions: 0,
    messages: 0,
  }
  const rows = await findTraceTransactions(server.lists, [span])
  return rows.length > MAX_SHOWN ? [] : readTransactions(server, rows, undefined, Number.POSITIVE_INFINITY)
}

/** Larger ones are not shown whole when they are done, either. */
const MAX_SHOWN = 4000
