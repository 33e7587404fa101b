import type { DebugIndex, TraceName } from '../../api/debug/debugEndpoint.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import type { TransactionPosition } from '../../debug/Debugger.ts'
import { addressKeyOf, parseAddressKey } from '../../primitives/Address.ts'
import type { Database, ReadServer } from '../../store/connect/Database.ts'
import { isLostConnection } from '../../store/errors.ts'
import { findCodes } from '../../store/reader/accounts.ts'
import { findTraceIds, findTransactionsByHash } from '../../store/reader/findTransactions.ts'
import { findMessageEnds } from '../../store/reader/messageEnds.ts'
import { readTransactions } from '../../store/reader/readTransactions.ts'
import { findTraceTransactions, listTraces } from '../../store/reader/traces.ts'
import { listTransactions } from '../../store/reader/transactions.ts'

export type DebugDatabase = Pick<Database, 'reader'>

const ANY_TIME = {
  startUtime: undefined,
  endUtime: undefined,
  startLt: undefined,
  endLt: undefined,
  direction: 'asc',
} as const

/** The index as the debugger uses it. */
export const openDebugIndex = (database: DebugDatabase): DebugIndex => ({
  findRecord: async (hash) => {
    const [record] = await readOrNothing(database, async (server) =>
      readTransactions(server, await findTransactionsByHash(server.keyedReads, [hash])),
    )
    return record
  },
  findCode: async (hash) => {
    const [found] = await readOrNothing(database, (server) => findCodes(server.keyedReads, [hash]))
    return found && unpackCell(found.code)
  },
  listAccount: (address, time, limit) =>
    readOrNothing(database, async ({ listReads }) => {
      const filter = { accounts: [addressKeyOf(address)], time, direction: 'desc' } as const
      return (await listTransactions(listReads, filter, { limit, offset: 0, after: undefined })).rows
    }),
  listTrace: (named) =>
    readOrNothing(database, async (server) => {
      const traceIds = await findIds(server, named)
      if (traceIds.length === 0) return []
      const page = { limit: 1, offset: 0, after: undefined }
      const { rows } = await listTraces(server.listReads, { traceIds, mcSeqno: undefined, window: ANY_TIME }, page)
      return readTransactions(server, await findTraceTransactions(server.listReads, rows))
    }),
})

const findIds = async ({ listReads }: ReadServer, named: TraceName): Promise<readonly Uint8Array[]> => {
  if ('traceId' in named) return [named.traceId]
  if ('hash' in named) return findTraceIds(listReads, [named.hash])
  return (await findMessageEnds(listReads, [named.messageHash])).map(({ traceId }) => traceId)
}

/** Where the index has a transaction. */
export const findIndexedPosition = async (
  database: DebugDatabase,
  hash: Uint8Array,
): Promise<TransactionPosition | undefined> => {
  const [row] = await readOrNothing(database, (server) => findTransactionsByHash(server.keyedReads, [hash]))
  const address = row && parseAddressKey(row.account)
  return row === undefined || address === undefined || typeof address === 'string' ? undefined : { address, lt: row.lt }
}

/** While the index is unavailable, transactions are found by account and lt. */
const readOrNothing = async <T>(
  database: DebugDatabase,
  read: (server: ReadServer) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  try {
    return await read(database.reader())
  } catch (error) {
    if (isLostConnection(error)) return []
    throw error
  }
}
