import type { MessageView } from '../../api/v3/views/messages.ts'
import type { TraceNode, TraceView } from '../../api/v3/views/traces.ts'
import type { TransactionView } from '../../api/v3/views/transactions.ts'

/** A transaction of a trace, or a message in flight. */
export type TreeNode = {
  /** Position in the tree: stable before and after execution, unlike the hash. */
  readonly path: string
  readonly message: MessageView | null
  readonly transaction: TransactionView | undefined
  readonly account: string
  readonly children: readonly TreeNode[]
}

/** The tree of a v3 trace. */
export const treeOfTrace = ({ trace, transactions = {} }: TraceView): TreeNode | undefined => {
  const root = trace && transactions[trace.tx_hash]
  return root && build(root, trace, transactions, '0')
}

const build = (
  transaction: TransactionView,
  node: TraceNode | undefined,
  all: { readonly [hash: string]: TransactionView },
  path: string,
): TreeNode => {
  const taken = new Map((node?.children ?? []).map((child) => [child.in_msg_hash, child]))
  const children = inOrder(transaction.out_msgs).flatMap((message, index): TreeNode[] => {
    const { destination } = message
    // External-out messages have no receiver.
    if (destination === null) return []
    const child = taken.get(message.hash)
    const receiver = child && all[child.tx_hash]
    const place = `${path}.${index}`
    if (receiver !== undefined) return [build(receiver, child, all, place)]
    return [{ path: place, message, transaction: undefined, account: destination, children: [] }]
  })
  return { path, message: transaction.in_msg, transaction, account: transaction.account, children }
}

const inOrder = (messages: readonly MessageView[]): MessageView[] =>
  [...messages].sort((a, b) => Number(BigInt(a.created_lt ?? 0) - BigInt(b.created_lt ?? 0)))

/** The tree of transactions while the trace is incomplete. */
export const treeOfTransactions = (transactions: readonly TransactionView[]): TreeNode | undefined => {
  const ordered = [...transactions].sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt)))
  const nodes = new Map<string, TraceNode>()
  const senders = new Map<string, TraceNode>()
  let root: TransactionView | undefined
  for (const transaction of ordered) {
    const { hash, in_msg: message } = transaction
    const node: TraceNode = { tx_hash: hash, ...(message !== null && { in_msg_hash: message.hash }), children: [] }
    nodes.set(hash, node)
    const sender = message === null ? undefined : senders.get(message.hash)
    if (sender !== undefined) sender.children.push(node)
    else root ??= transaction
    for (const sent of transaction.out_msgs) senders.set(sent.hash, node)
  }
  if (root === undefined) return undefined
  return build(root, nodes.get(root.hash), Object.fromEntries(ordered.map((each) => [each.hash, each])), '0')
}

/** The node and all below it, from top to bottom. */
export const listNodes = (node: TreeNode): TreeNode[] => [node, ...node.children.flatMap(listNodes)]

export type PlacedNode = {
  readonly node: TreeNode
  readonly parent: PlacedNode | undefined
  readonly depth: number
  readonly x: number
  readonly y: number
  readonly width: number
}

export type TreeLayout = { readonly nodes: readonly PlacedNode[]; readonly width: number; readonly height: number }

export const NODE_HEIGHT = 78
const NODE_WIDTH = 236
const COLUMN_GAP = 52
const ROW_GAP = 14

/** Left to right: a column per depth, each parent centred on its children. */
export const layoutWide = (root: TreeNode): TreeLayout => {
  const nodes: PlacedNode[] = []
  let rows = 0
  let columns = 0
  const place = (node: TreeNode, depth: number, parent: PlacedNode | undefined): PlacedNode => {
    columns = Math.max(columns, depth + 1)
    const placed = { node, parent, depth, x: depth * (NODE_WIDTH + COLUMN_GAP), y: 0, width: NODE_WIDTH }
    nodes.push(placed)
    const children = node.children.map((child) => place(child, depth + 1, placed))
    const [first, last] = [children[0], children.at(-1)]
    placed.y = first === undefined || last === undefined ? rows++ * (NODE_HEIGHT + ROW_GAP) : (first.y + last.y) / 2
    return placed
  }
  place(root, 0, undefined)
  return {
    nodes,
    width: columns * (NODE_WIDTH + COLUMN_GAP) - COLUMN_GAP,
    height: rows * (NODE_HEIGHT + ROW_GAP) - ROW_GAP,
  }
}

const INDENT = 18
const MAX_INDENT = 108

/** Top to bottom with indentation, for narrow screens. */
export const layoutNarrow = (root: TreeNode, width: number): TreeLayout => {
  const nodes: PlacedNode[] = []
  const place = (node: TreeNode, depth: number, parent: PlacedNode | undefined): void => {
    const x = Math.min(depth * INDENT, MAX_INDENT)
    const placed = { node, parent, depth, x, y: nodes.length * (NODE_HEIGHT + ROW_GAP), width: width - x }
    nodes.push(placed)
    for (const child of node.children) place(child, depth + 1, placed)
  }
  place(root, 0, undefined)
  return { nodes, width, height: nodes.length * (NODE_HEIGHT + ROW_GAP) - ROW_GAP }
}

/** Below this width the narrow layout is used. */
export const NARROW_WIDTH = 620
