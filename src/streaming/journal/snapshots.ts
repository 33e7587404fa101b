import { createHash } from 'node:crypto'
import type { Reader } from '../../store/connect/Database.ts'
import { findWalletFacts } from '../../store/reader/eventRows.ts'
import type { Finality, PendingAction, PendingTrace, PendingTransaction } from '../../store/reader/pending.ts'
import { inLtOrder, keyText } from '../../store/reader/TransactionRecord.ts'
import type { FactsByAccount, StreamTrace } from '../events.ts'

/** A pending trace, and what tells two versions of it apart. */
export type Snapshot = {
  readonly trace: StreamTrace
  /** Indexed transactions. Later versions never have fewer. */
  readonly real: number
  /** Digests of what events of each kind show; absent if there is no such event. */
  readonly digests: { readonly tx: string; readonly ac: string | undefined; readonly tr: string }
}

/** How final a trace is as a whole: the minimum over its transactions. Events of final traces are those of the log. */
export const finalityOf = ({
  transactions,
  isIncomplete,
}: Pick<PendingTrace, 'transactions' | 'isIncomplete'>): Finality => {
  if (isIncomplete || transactions.some(({ finality }) => finality === 'pending')) return 'pending'
  return transactions.some(({ finality }) => finality === 'confirmed') ? 'confirmed' : 'finalized'
}

export const countReal = ({ transactions }: Pick<PendingTrace, 'transactions'>): number =>
  transactions.reduce((sum, { isEmulated }) => sum + (isEmulated ? 0 : 1), 0)

/** The jetton wallets among the accounts of transactions. The codes of accounts are in its transactions. */
export const readFacts = async (
  reader: Reader,
  { transactions }: Pick<PendingTrace, 'transactions'>,
): Promise<FactsByAccount> => {
  const accounts = new Map(transactions.map(({ account }) => [keyText(account), account]))
  const wallets = await findWalletFacts(reader, [...accounts.values()])
  return new Map(wallets.map(({ address, jetton }) => [keyText(address), { jettonMaster: jetton }]))
}

export const takeSnapshot = (pending: PendingTrace, facts: FactsByAccount | undefined): Snapshot => {
  const transactions = pending.transactions.toSorted(inLtOrder('asc'))
  const trace: StreamTrace = { ...pending, transactions, ...(facts !== undefined && { facts }) }
  const tx = digestOf(trace.transactions.map(describeTransaction))
  const ac = trace.actions && digestOf(trace.actions.map(describeAction))
  const tr = digestOf([tx, ac ?? '', String(trace.isIncomplete)])
  return { trace, real: countReal(pending), digests: { tx, ac, tr } }
}

/** The hash of a transaction covers all of it; indexed ones also have a block. */
const describeTransaction = ({ hash, finality, traceId, mcSeqno, outMessages }: PendingTransaction): string =>
  [textOf(hash), finality, textOf(traceId), mcSeqno, ...outMessages.map(({ receivedBy }) => textOf(receivedBy))].join()

const describeAction = ({ type, success, finality, traceId, startLt, endLt, details, transactions }: PendingAction) =>
  JSON.stringify([
    type,
    success,
    finality,
    textOf(traceId),
    String(startLt),
    String(endLt),
    details,
    transactions.map(textOf),
  ])

const textOf = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')

const digestOf = (parts: readonly string[]): string => {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('base64')
}
