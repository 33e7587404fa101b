import { decodeMessageBits, STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { ReadServer } from '../connect/Database.ts'
import { findSenders } from './findSenders.ts'
import { findSentMessages } from './findSentMessages.ts'
import { findTransactionsByHash } from './findTransactionsByHash.ts'
import { inLtOrder } from './inLtOrder.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** Which way along the messages of a transaction. */
export type AdjacentSide = 'in' | 'out' | 'both'

/** Who sent what a transaction received, and who received what it sent, by logical time. */
export const findAdjacentTransactions = async (
  { points }: ReadServer,
  hash: Uint8Array,
  side: AdjacentSide,
): Promise<TransactionRow[]> => {
  const [row] = await findTransactionsByHash(points, [hash])
  if (row === undefined) return []
  const [senders, sent] = await Promise.all([
    side === 'out' ? new Map() : findSenders(points, listReceived(row)),
    side === 'in' ? new Map() : findSentMessages(points, [row]),
  ])
  const hashes = [
    ...[...senders.values()].map(({ hash: sender }) => sender),
    ...[...sent.values()].flat().map(({ received_by }) => received_by),
  ].filter((each) => each !== null)
  const found = await findTransactionsByHash(points, hashes)
  return found.toSorted(inLtOrder('asc'))
}

const listReceived = ({ in_bits, in_source, in_created_lt, mc_seqno }: TransactionRow) =>
  decodeMessageBits(in_bits).kind === STORED_MESSAGE_KIND.internal && in_source !== null && in_created_lt !== null
    ? [{ source: in_source, createdLt: in_created_lt, mcSeqno: mc_seqno }]
    : []
