import type { CellCoverage, FoldedStack, RunSummary, StackFrame } from '../../chain/recording.ts'
import { Cell } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import type { ReadCondition } from './conditions.ts'
import { hashOf } from './PageValues.ts'

/** Code that a run makes for itself may be of any size: beyond these, places share one entry. */
const MAX_CELLS = 5_000
const MAX_PLACES = 50_000
const MAX_NODES = 2_000
const MAX_FRAMES = 48
const MAX_METHODS = 1_000

/** An instruction at its offset in a cell. */
export type CodePosition = {
  readonly offset: number
  readonly isImplicit: boolean
  /** With operands, and its name alone. */
  readonly text: string
  readonly name: string
  /** Whether the cells that it loads are code. */
  readonly loadsCode: boolean
  readonly condition: ReadCondition | undefined
  readonly instruction: { readonly op: string; count: number; gas: number }
  count: number
  gas: number
  whenTrue: number
  whenFalse: number
}

export class CodeCell {
  readonly hash: string
  readonly places = new Map<number, CodePosition>()
  gas = 0
  runs = 0
  steps = 0
  loadsFirst = 0
  loadsAgain = 0

  constructor(hash: string) {
    this.hash = hash
  }
}

type Node = {
  readonly frame: StackFrame | undefined
  readonly parent: Node | undefined
  readonly level: number
  readonly children: Map<string, Node>
  gas: number
  steps: number
}

type Method = { readonly id: number; runs: number; self: number; total: number; active: number }

type Frame = { readonly node: Node; readonly method: Method; readonly isMethod: boolean; readonly gasBefore: number }

/** Adds up a run. What it keeps grows with the size of the code, not with the length of the run. */
export class Summary {
  loads = { first: 0, again: 0 }
  isTruncated = false
  private gas = 0
  private placeCount = 0
  private nodeCount = 0
  private handleCount = 0
  private readonly byHandle = new Map<CellArena, Map<number, CodeCell>>()
  private readonly byHash = new Map<string, CodeCell>()
  private readonly overflow = new CodeCell('')
  private readonly instructions = new Map<string, { readonly op: string; count: number; gas: number }>()
  private readonly methods = new Map<number, Method>()
  private readonly frames: Frame[] = []
  private readonly root: Node = newNode(undefined, undefined)
  private lastCell: CodeCell | undefined = undefined
  /** The cell that was found last: most steps stay in it. */
  private lastArena: CellArena | undefined = undefined
  private lastIndex = -1
  private lastFound = this.overflow

  // --- places

  cellAt(arena: CellArena, index: number): CodeCell {
    if (arena !== this.lastArena || index !== this.lastIndex) {
      this.lastFound = this.findCell(arena, index)
      this.lastArena = arena
      this.lastIndex = index
    }
    return this.lastFound
  }

  private findCell(arena: CellArena, index: number): CodeCell {
    let cells = this.byHandle.get(arena)
    const known = cells?.get(index)
    if (known !== undefined) return known
    const hash = hashOf(new Cell(arena, index))
    let cell = this.byHash.get(hash)
    if (cell === undefined) {
      if (this.byHash.size >= MAX_CELLS) {
        this.isTruncated = true
        return this.overflow
      }
      cell = new CodeCell(hash)
      this.byHash.set(hash, cell)
    }
    // Handles on the same cell may be many, where code is made anew each time.
    if (++this.handleCount > MAX_PLACES) {
      this.handleCount = 0
      this.byHandle.clear()
    }
    cells = this.byHandle.get(arena)
    if (cells === undefined) {
      cells = new Map()
      this.byHandle.set(arena, cells)
    }
    cells.set(index, cell)
    return cell
  }

  findPlace(cell: CodeCell, offset: number, isImplicit: boolean): CodePosition | undefined {
    return cell.places.get(placeKey(offset, isImplicit))
  }

  addPlace(cell: CodeCell, described: Omit<CodePosition, 'instruction'>): CodePosition {
    let instruction = this.instructions.get(described.name)
    if (instruction === undefined) {
      instruction = { op: described.name, count: 0, gas: 0 }
      this.instructions.set(described.name, instruction)
    }
    const place: CodePosition = { ...described, instruction }
    if (cell === this.overflow || this.placeCount >= MAX_PLACES) {
      this.isTruncated = true
      return place
    }
    this.placeCount++
    cell.places.set(placeKey(place.offset, place.isImplicit), place)
    return place
  }

  noteLoad(arena: CellArena, index: number, isFirst: boolean, isCode: boolean): void {
    if (isFirst) this.loads.first++
    else this.loads.again++
    if (!isCode) return
    const cell = this.cellAt(arena, index)
    if (isFirst) cell.loadsFirst++
    else cell.loadsAgain++
  }

  // --- frames

  get frameCount(): number {
    return this.frames.length
  }

  /** Enters a method, or any other code at an offset of a cell. */
  enter(method: number | undefined, cell: CodeCell, offset: number): void {
    const outer = this.frames.at(-1)
    const entered = method === undefined ? outer?.method : this.methodOf(method)
    const frame: StackFrame = method === undefined ? { cell: cell.hash, offset } : { method }
    const innermost = entered ?? this.methodOf(0)
    const isMethod = method !== undefined || outer === undefined
    if (isMethod) {
      innermost.runs++
      innermost.active++
    }
    const node = this.childOf(outer?.node ?? this.root, frame)
    this.frames.push({ node, method: innermost, isMethod, gasBefore: this.gas })
  }

  leaveTo(count: number): void {
    while (this.frames.length > count) {
      const { method, isMethod, gasBefore } = this.frames.pop()!
      if (isMethod && --method.active === 0) method.total += this.gas - gasBefore
    }
  }

  private methodOf(id: number): Method {
    let method = this.methods.get(id)
    if (method === undefined) {
      if (this.methods.size >= MAX_METHODS) {
        this.isTruncated = true
        return this.methods.values().next().value!
      }
      method = { id, runs: 0, self: 0, total: 0, active: 0 }
      this.methods.set(id, method)
    }
    return method
  }

  private childOf(node: Node, frame: StackFrame): Node {
    const key = 'method' in frame ? `${frame.method}` : `${frame.cell}:${frame.offset}`
    const known = node.children.get(key)
    if (known !== undefined) return known
    if (this.nodeCount >= MAX_NODES || node.level >= MAX_FRAMES) {
      this.isTruncated = true
      return node
    }
    this.nodeCount++
    const child = newNode(frame, node)
    node.children.set(key, child)
    return child
  }

  // --- gas

  /** A step of the innermost frame has ended. */
  add(cell: CodeCell, place: CodePosition, gas: number): void {
    this.gas += gas
    cell.gas += gas
    cell.steps++
    if (cell !== this.lastCell) {
      cell.runs++
      this.lastCell = cell
    }
    place.count++
    place.gas += gas
    place.instruction.count++
    place.instruction.gas += gas
    const { node, method } = this.frames[this.frames.length - 1]!
    node.gas += gas
    node.steps++
    method.self += gas
  }

  toSummary(): RunSummary {
    this.leaveTo(0)
    const cells = [...this.byHash.values(), ...(this.overflow.steps > 0 ? [this.overflow] : [])]
    const byGas = <T extends { readonly gas: number }>(list: T[]): T[] => list.sort((a, b) => b.gas - a.gas)
    return {
      truncated: this.isTruncated,
      methods: [...this.methods.values()]
        .map(({ id, runs, self, total }) => ({ id, runs, self, total }))
        .sort((a, b) => b.total - a.total),
      cells: byGas(
        cells.map(({ hash, loadsFirst, loadsAgain, gas, runs, steps }) => ({
          hash,
          loads_first: loadsFirst,
          loads_again: loadsAgain,
          gas,
          runs,
          steps,
        })),
      ),
      instructions: byGas([...this.instructions.values()]),
      loads: this.loads,
      stacks: listStacks(this.root),
      coverage: cells.filter(({ places }) => places.size > 0).map(toCoverage),
    }
  }
}

/** Where a continuation ends inside a cell, the return from it and the next instruction have the same offset. */
const placeKey = (offset: number, isImplicit: boolean): number => (isImplicit ? -1 - offset : offset)

const newNode = (frame: StackFrame | undefined, parent: Node | undefined): Node => ({
  frame,
  parent,
  level: parent === undefined ? 0 : parent.level + 1,
  children: new Map(),
  gas: 0,
  steps: 0,
})

const listStacks = (root: Node): FoldedStack[] => {
  const stacks: FoldedStack[] = []
  const visit = (node: Node, outer: readonly StackFrame[]): void => {
    const frames = node.frame === undefined ? outer : [...outer, node.frame]
    if (node.steps > 0) stacks.push({ frames, gas: node.gas, steps: node.steps })
    for (const child of node.children.values()) visit(child, frames)
  }
  visit(root, [])
  return stacks
}

const toCoverage = ({ hash, places }: CodeCell): CellCoverage => {
  const real = [...places.values()].filter(({ isImplicit }) => !isImplicit).sort((a, b) => a.offset - b.offset)
  return {
    cell: hash,
    instructions: real.map(({ offset, count, gas }) => [offset, count, gas] as const),
    branches: real
      .filter(({ condition }) => condition !== undefined)
      .map(({ offset, whenTrue, whenFalse }) => [offset, whenTrue, whenFalse] as const),
  }
}
