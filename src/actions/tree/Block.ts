import type { ActionFacts } from '../rows/ActionFacts.ts'
import type { EventNode } from './EventNode.ts'

/** A kind of block: what it is called, and how an action is made of one. */
export type BlockKind<Data = unknown> = {
  /** Ids of actions are made with it, and parts of such a block name it. */
  readonly name: string
  /** What the action is called, where that is another name. */
  readonly type?: string
  /** Its parts are no actions of their own. */
  readonly isClosed?: boolean
  /** `undefined` where nothing is to be told of it. */
  describe(block: Block<Data>): ActionFacts | undefined
}

/** Defines a kind of block. */
export const blockKind = <Data>(kind: BlockKind<Data>): BlockKind<Data> => kind

/** Something that happened: one event, or several that were found to belong together. */
export class Block<Data = unknown> {
  readonly kind: BlockKind<Data>
  readonly data: Data
  readonly nodes: readonly EventNode[]
  /** The event by which the first of its own was caused. */
  initiating: EventNode | undefined
  readonly children: Block[] = []
  /** What followed, in order. Blocks that were folded keep what they had. */
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

/** All blocks from one on that are no part of another, nearest first. What changes on the way is seen. */
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
