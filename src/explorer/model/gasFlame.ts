import { hashToHex } from './addresses.ts'
import { nameMethod } from './methods.ts'
import type { VmRun } from './vmSteps.ts'

type FoldedStack = VmRun['summary']['stacks'][number]
type Frame = FoldedStack['frames'][number]

/** A frame of the call stack with all runs of it below the same callers. */
export type FlameNode = {
  readonly name: string
  /** Names from the outermost frame on: stable while the chart is drawn anew. */
  readonly path: string
  readonly gas: number
  /** Without the frames that it called. */
  readonly self: number
  readonly children: readonly FlameNode[]
}

/** A method by its name, anything else by where its code begins. */
const nameFrame = (frame: Frame): string =>
  'method' in frame ? nameMethod(frame.method) : `${hashToHex(frame.cell).slice(0, 8)}:${frame.offset}`

type Growing = { readonly name: string; gas: number; self: number; readonly children: Map<string, Growing> }

/** Merges folded stacks into a tree, its widest children first. */
export const buildFlame = (stacks: readonly FoldedStack[]): FlameNode => {
  const root: Growing = { name: 'all', gas: 0, self: 0, children: new Map() }
  for (const { frames, gas } of stacks) {
    let node = root
    node.gas += gas
    for (const frame of frames) {
      const name = nameFrame(frame)
      let child = node.children.get(name)
      if (child === undefined) {
        child = { name, gas: 0, self: 0, children: new Map() }
        node.children.set(name, child)
      }
      child.gas += gas
      node = child
    }
    node.self += gas
  }
  return finish(root, '')
}

const finish = ({ name, gas, self, children }: Growing, parent: string): FlameNode => {
  const path = `${parent}/${name}`
  const grown = [...children.values()].map((child) => finish(child, path)).sort((a, b) => b.gas - a.gas)
  return { name, path, gas, self, children: grown }
}

/** A bar of the chart; `x` and `width` are shares of the whole width. */
export type FlameBar = {
  readonly node: FlameNode
  readonly depth: number
  readonly x: number
  readonly width: number
}

const MIN_WIDTH = 0.002
const MAX_BARS = 1000

/** Places a node and what it called, one row per depth. Bars too narrow to see are left out with all below them. */
export const layoutFlame = (root: FlameNode): readonly FlameBar[] => {
  const bars: FlameBar[] = []
  let row: FlameBar[] = root.gas > 0 ? [{ node: root, depth: 0, x: 0, width: 1 }] : []
  while (row.length > 0 && bars.length + row.length <= MAX_BARS) {
    bars.push(...row)
    row = row.flatMap(placeChildren(root.gas))
  }
  return bars
}

const placeChildren =
  (whole: number) =>
  ({ node, depth, x }: FlameBar): FlameBar[] => {
    let from = x
    return node.children.flatMap((child) => {
      const bar = { node: child, depth: depth + 1, x: from, width: child.gas / whole }
      from += bar.width
      return bar.width < MIN_WIDTH ? [] : [bar]
    })
  }

export const findFlame = (node: FlameNode, path: string): FlameNode | undefined => {
  if (node.path === path) return node
  for (const child of node.children) {
    if (path !== child.path && !path.startsWith(`${child.path}/`)) continue
    const found = findFlame(child, path)
    if (found !== undefined) return found
  }
  return undefined
}
