import type { OtherTransaction } from './otherReader.ts'

export type OtherTrace = {
  readonly id: string
  readonly transactions: readonly OtherTransaction[]
  readonly isComplete: boolean
}

/**
 * Traces, built from the end: every transaction is hung under the one that sent its message, by hash, and what has no sender is a
 * root. A trace is complete when each internal message that was sent in it has a receiver.
 */
export const buildOtherTraces = (transactions: readonly OtherTransaction[]): OtherTrace[] => {
  const senders = new Map<string, OtherTransaction>()
  for (const transaction of transactions) {
    for (const { hash, kind } of transaction.outMessages) if (kind === 'internal') senders.set(hash, transaction)
  }
  const received = new Set(transactions.flatMap(({ inMessage }) => (inMessage === undefined ? [] : [inMessage.hash])))
  const members = new Map<OtherTransaction, OtherTransaction[]>()
  for (const transaction of transactions) {
    const root = findRoot(transaction, senders)
    const list = members.get(root)
    if (list === undefined) members.set(root, [transaction])
    else list.push(transaction)
  }
  return [...members].map(([root, list]) => ({
    id: root.hash,
    transactions: list,
    isComplete: list.every(({ outMessages }) =>
      outMessages.every(({ kind, hash }) => kind !== 'internal' || received.has(hash)),
    ),
  }))
}

const findRoot = (start: OtherTransaction, senders: ReadonlyMap<string, OtherTransaction>): OtherTransaction => {
  for (let transaction = start; ; ) {
    const { inMessage } = transaction
    const parent = inMessage?.kind === 'internal' ? senders.get(inMessage.hash) : undefined
    if (parent === undefined) return transaction
    transaction = parent
  }
}
