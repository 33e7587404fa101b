import type { TraceInput, TraceMessage, TraceTransaction } from '../trace/TraceInput.ts'

/**
 * Something that arrived: a transaction with the message that it received, or a message to the outside, which belongs to the
 * transaction that sent it.
 */
export class EventNode {
  /** `undefined` for a tick-tock transaction. */
  readonly message: TraceMessage | undefined
  readonly transaction: TraceTransaction
  /** A message to the outside. */
  readonly isLog: boolean
  /** A message that a wallet was asked to send and never did. */
  readonly isGhost: boolean
  readonly lt: bigint
  readonly utime: number
  readonly children: EventNode[] = []
  parent: EventNode | undefined

  constructor(
    message: TraceMessage | undefined,
    transaction: TraceTransaction,
    { isLog = false, isGhost = false }: { readonly isLog?: boolean; readonly isGhost?: boolean } = {},
  ) {
    this.message = message
    this.transaction = transaction
    this.isLog = isLog
    this.isGhost = isGhost
    this.lt = message?.createdLt ?? transaction.lt
    this.utime = message?.createdAt ?? transaction.now
  }

  add(child: EventNode): void {
    child.parent = this
    this.children.push(child)
  }
}

/** The roots of a trace's tree: one, unless the trace is not whole. */
export const buildNodes = ({ transactions }: TraceInput): EventNode[] => {
  const byMessage = new Map<string, EventNode>()
  const nodes = transactions.map((transaction) => {
    const node = new EventNode(transaction.inMessage, transaction)
    if (transaction.inMessage !== undefined) byMessage.set(transaction.inMessage.hash, node)
    return node
  })
  const roots = new Set(nodes)
  for (const node of nodes) {
    for (const message of node.transaction.outMessages) {
      const child =
        message.destination === undefined
          ? new EventNode(message, node.transaction, { isLog: true })
          : byMessage.get(message.hash)
      if (child === undefined || child === node) continue
      node.add(child)
      roots.delete(child)
    }
  }
  return [...roots]
}
