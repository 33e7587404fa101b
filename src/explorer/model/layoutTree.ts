import type { TreeNode } from './traceTree.ts'

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

/** From left to right: each column is a step of the trace, and whoever sent something is in the middle of what came of it. */
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

/** From top to bottom, each below whoever sent to it: for narrow screens. */
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

/** Below this width columns make no sense. */
export const NARROW_WIDTH = 620
