import type { FoldedStack, RunSummary, StackFrame } from '../chain/recording.ts'
import { fromBase64 } from '../primitives/base64.ts'
import { toHex } from '../primitives/hex.ts'
import { methodName } from './methodNames.ts'

/** Names of methods by number, as a source map has them. */
export type MethodNames = Readonly<Record<string, string>>

export type GasRow = {
  readonly name: string
  readonly id: number
  readonly runs: number
  readonly self: number
  readonly total: number
  /** Share of the gas of all runs, methods that it called included: 0 to 1. */
  readonly share: number
}

/** Gas by method over one or more runs, the most expensive first. */
export const gasByMethod = (runs: readonly RunSummary[], names?: MethodNames): GasRow[] => {
  const rows = new Map<number, { runs: number; self: number; total: number }>()
  let used = 0
  for (const { methods } of runs) {
    for (const { id, runs: count, self, total } of methods) {
      const row = rows.get(id) ?? { runs: 0, self: 0, total: 0 }
      rows.set(id, { runs: row.runs + count, self: row.self + self, total: row.total + total })
      used += self
    }
  }
  return [...rows]
    .map(([id, row]) => ({ name: methodName(id, names), id, ...row, share: used === 0 ? 0 : row.total / used }))
    .sort((a, b) => b.total - a.total || a.id - b.id)
}

/** A table for a terminal. */
export const formatGasTable = (rows: readonly GasRow[]): string => {
  const head = ['method', 'runs', 'self', 'total', 'share']
  const body = rows.map(({ name, runs, self, total, share }) => [
    name,
    String(runs),
    String(self),
    String(total),
    `${(100 * share).toFixed(1)}%`,
  ])
  const widths = head.map((title, k) => Math.max(title.length, ...body.map((row) => row[k]!.length)))
  const line = (row: readonly string[]): string =>
    row.map((text, k) => (k === 0 ? text.padEnd(widths[k]!) : text.padStart(widths[k]!))).join('  ')
  return [line(head), ...body.map(line)].join('\n')
}

const frameName = (frame: StackFrame, names: MethodNames | undefined): string =>
  'method' in frame ? methodName(frame.method, names) : `${toHex(fromBase64(frame.cell)).slice(0, 8)}:${frame.offset}`

/** Folded stacks: `outer;inner gas`, a line for each, as flame graph tools read them. */
export const formatFolded = (runs: readonly RunSummary[], names?: MethodNames): string => {
  const lines = new Map<string, number>()
  for (const { stacks } of runs) {
    for (const { frames, gas } of stacks) {
      const key = frames.map((frame) => frameName(frame, names)).join(';')
      lines.set(key, (lines.get(key) ?? 0) + gas)
    }
  }
  return [...lines].map(([key, gas]) => `${key} ${gas}\n`).join('')
}

type ProfileNode = {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly scriptId: string
    readonly url: string
    readonly lineNumber: number
    readonly columnNumber: number
  }
  readonly hitCount: number
  readonly children: number[]
}

export type CpuProfile = {
  readonly nodes: readonly ProfileNode[]
  readonly startTime: number
  readonly endTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** A profile for the performance tab of browsers and editors. A unit of gas is shown as a microsecond. */
export const toCpuProfile = (runs: readonly RunSummary[], names?: MethodNames): CpuProfile => {
  const nodes: ProfileNode[] = []
  const byPath = new Map<string, ProfileNode>()
  const nodeAt = (path: string, functionName: string, url: string, parent: ProfileNode | undefined): ProfileNode => {
    const known = byPath.get(path)
    if (known !== undefined) return known
    const callFrame = { functionName, scriptId: '0', url, lineNumber: 0, columnNumber: 0 }
    const node: ProfileNode = { id: nodes.length + 1, callFrame, hitCount: 0, children: [] }
    nodes.push(node)
    byPath.set(path, node)
    parent?.children.push(node.id)
    return node
  }
  const root = nodeAt('', '(root)', '', undefined)
  const samples: number[] = []
  const timeDeltas: number[] = []
  const add = ({ frames, gas }: FoldedStack): void => {
    let node = root
    let path = ''
    for (const frame of frames) {
      const name = frameName(frame, names)
      path += `;${name}`
      node = nodeAt(path, name, 'cell' in frame ? toHex(fromBase64(frame.cell)) : '', node)
    }
    samples.push(node.id)
    timeDeltas.push(gas)
  }
  for (const { stacks } of runs) for (const stack of stacks) add(stack)
  return { nodes, startTime: 0, endTime: timeDeltas.reduce((sum, gas) => sum + gas, 0), samples, timeDeltas }
}
