import { CodedError } from '../../primitives/errors.ts'
import type { StoredDetails, StoredType } from '../details/ActionDetails.ts'
import type { WithoutShape } from '../details/texts.ts'
import type { ActionFacts } from '../rows/Action.ts'
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

/** Data fields with addresses, each of which may be unknown or absent. */
export type Addresses<Name extends string> = Readonly<Record<Name, string | undefined>>

/** A kind of block: what it is called, and how an action is made of one. */
export type BlockKind<Data = unknown> = {
  /** Ids of actions are made with it, and parts of such a block name it. */
  readonly name: string
  /** The name of the action, where it differs. */
  readonly type?: string
  /** Its parts are not actions of their own. */
  readonly isClosed?: boolean
  /** `undefined` where nothing is to be told of it. */
  describe(block: Block<Data>): ActionFacts | undefined
}

/** The facts of a type, whose details have its shape; those without a shape are shown raw. */
type FactsOf<Type extends StoredType> = StoredDetails[Type] extends WithoutShape
  ? ActionFacts & { readonly hasNoShape: true }
  : ActionFacts<StoredDetails[Type]>

/** A kind whose actions have the details of their type. */
type TypedKind<Data, Type extends StoredType> = Omit<BlockKind<Data>, 'name' | 'type' | 'describe'> &
  ({ readonly name: Type; readonly type?: never } | { readonly name: string; readonly type: Type }) & {
    describe(block: Block<Data>): FactsOf<Type> | undefined
  }

/** A kind of which nothing is told. */
type SilentKind<Data> = { readonly name: string; describe(block: Block<Data>): undefined }

/** Defines a kind of block. */
export const blockKind = <Data>(
  kind: { [Type in StoredType]: TypedKind<Data, Type> }[StoredType] | SilentKind<Data>,
): BlockKind<Data> => kind as BlockKind<Data>

/** Something that happened: one event, or several that were found to belong together. */
export class Block<Data = unknown> {
  readonly kind: BlockKind<Data>
  readonly data: Data
  readonly nodes: readonly EventNode[]
  /** The event by which the first of its own was caused. */
  initiating: EventNode | undefined
  readonly children: Block[] = []
  /** Children in order. Folded blocks keep theirs. */
  next: Block[] = []
  previous: Block | undefined
  /** The block that it is a part of now. */
  container: Block | undefined
  failed: boolean
  startLt: bigint
  endLt: bigint
  startUtime: number
  endUtime: number

  constructor(kind: BlockKind<Data>, data: Data, nodes: readonly EventNode[], failed = false) {
    this.kind = kind
    this.data = data
    this.nodes = nodes
    this.failed = failed
    this.initiating = nodes[0]?.parent
    const [first] = nodes
    this.startLt = first?.lt ?? 0n
    this.endLt = first?.transaction.lt ?? 0n
    this.startUtime = first?.utime ?? 0
    this.endUtime = first?.transaction.now ?? 0
    for (const { lt, utime, transaction } of nodes) {
      if (lt < this.startLt) this.startLt = lt
      if (utime < this.startUtime) this.startUtime = utime
      if (transaction.lt > this.endLt) this.endLt = transaction.lt
      if (transaction.now > this.endUtime) this.endUtime = transaction.now
    }
  }

  is<Other>(kind: BlockKind<Other>): this is Block<Other> {
    return (this.kind as unknown) === kind
  }

  /** The event that it begins with. */
  get node(): EventNode {
    return this.nodes[0]!
  }

  connect(next: Block): void {
    next.previous = this
    this.next.push(next)
  }
}

/** All blocks below one that are not part of another, nearest first. Sees changes made during the walk. */
export const walkBlocks = function* (from: Block): Generator<Block> {
  const queue = [from]
  const seen = new Set<Block>()
  for (let at = 0; at < queue.length; at++) {
    const block = queue[at]!
    if (seen.has(block)) continue
    seen.add(block)
    if (block.container === undefined) yield block
    for (const next of block.next) queue.push(next)
  }
}

/** A pattern rejected a candidate match. The trace is classified without it. */
export class MatchRefusedError extends CodedError {
  readonly code = 'match_refused'
}

/** A value that a pattern requires. */
export const expectPresent = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new MatchRefusedError(`There is no ${what}.`)
  return value
}

/** Replaces several blocks, which must be connected below the earliest, with one. */
export const foldBlocks = <Data>(
  kind: BlockKind<Data>,
  data: Data,
  parts: Iterable<Block>,
  { failed = false }: { readonly failed?: boolean } = {},
): Block<Data> => {
  const blocks = [...new Set(parts)].sort(byTime)
  const [earliest] = blocks
  if (earliest === undefined) throw new MatchRefusedError('There is nothing to fold.')
  const joined = new Set<Block>()
  for (const block of blocks) {
    if (block.container !== undefined) throw new MatchRefusedError('A block is a part of another already.')
    if (block !== earliest && (block.previous === undefined || !joined.has(block.previous))) {
      throw new MatchRefusedError('The blocks do not hang together.')
    }
    joined.add(block)
  }
  const folded = new Block(kind, data, uniteNodes(blocks), failed)
  folded.initiating = earliest.initiating
  const { previous } = earliest
  folded.previous = previous
  if (previous !== undefined) previous.next = previous.next.map((next) => (next === earliest ? folded : next))
  for (const block of blocks) {
    for (const next of block.next) {
      if (joined.has(next)) continue
      next.previous = folded
      folded.next.push(next)
    }
    block.container = folded
    folded.children.push(block)
  }
  return folded
}

const byTime = (a: Block, b: Block): number => {
  if (a.startLt !== b.startLt) return a.startLt < b.startLt ? -1 : 1
  return Number(a.nodes[0]?.isLog ?? false) - Number(b.nodes[0]?.isLog ?? false)
}

/** The events of the earliest block come first, since what began them began the whole. */
const uniteNodes = (blocks: readonly Block[]): EventNode[] => [...new Set(blocks.flatMap(({ nodes }) => nodes))]
