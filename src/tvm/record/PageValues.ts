import type { RecordedValue } from '../../chain/recording.ts'
import { Cell, cellAt } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { Builder, type Continuation, isTuple, Slice, type Value } from '../machine/values.ts'

/** Values of one tuple, counted through all levels, and how deep they may be nested. */
const MAX_TUPLE_VALUES = 2_000
const MAX_NESTING = 32
/** Values of a stack that is written whole. */
const MAX_STACK_VALUES = 10_000
/** Characters of values and steps on one page. */
const MAX_PAGE_SIZE = 8 << 20
/** Characters of all cells of one page, and cells in the tree of one of them. */
const MAX_CELLS_SIZE = 4 << 20
const MAX_TREE = 1_000
const MAX_NAMED_CELLS = 20_000

const CUT: RecordedValue = { t: 'cut' }
const NULL: RecordedValue = { t: 'null' }
const NAN: RecordedValue = { t: 'nan' }

export const hashOf = (cell: Cell): string => toBase64(cell.hash())

/** Writes the values of one page, within bounds, and collects the cells that they name. */
export class PageValues {
  /** About the length of what was written, as JSON. */
  size = 0
  hasCut = false
  cellsLeftOut = 0
  readonly cells: Record<string, string> = {}
  private cellsSize = 0
  private readonly named = new Set<string>()
  private readonly withCells: boolean

  constructor(withCells: boolean) {
    this.withCells = withCells
  }

  get isFull(): boolean {
    return this.size > MAX_PAGE_SIZE
  }

  writeStack(stack: readonly Value[]): RecordedValue[] {
    if (stack.length <= MAX_STACK_VALUES) return stack.map((value) => this.write(value))
    this.hasCut = true
    return [CUT, ...stack.slice(-MAX_STACK_VALUES).map((value) => this.write(value))]
  }

  write(value: Value): RecordedValue {
    if (isTuple(value)) return this.writeTuple(value, 0, { left: MAX_TUPLE_VALUES })
    return this.writeSimple(value)
  }

  /** Names a cell by its hash, and keeps it. */
  nameCell(cell: Cell): string {
    const hash = hashOf(cell)
    if (this.withCells && !this.named.has(hash)) this.keep(hash, cell)
    return hash
  }

  private writeTuple(value: Value, nesting: number, room: { left: number }): RecordedValue {
    if (room.left-- <= 0 || nesting > MAX_NESTING) {
      this.hasCut = true
      return CUT
    }
    if (!isTuple(value)) return this.writeSimple(value)
    this.size += 18
    const v: RecordedValue[] = []
    for (const item of value) {
      v.push(this.writeTuple(item, nesting + 1, room))
      if (room.left > 0) continue
      break
    }
    if (v.length < value.length) {
      this.hasCut = true
      v.push(CUT)
    }
    return { t: 'tuple', v }
  }

  private writeSimple(value: Value): RecordedValue {
    if (value === null) {
      this.size += 13
      return NULL
    }
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (Number.isNaN(value)) {
        this.size += 12
        return NAN
      }
      const v = String(value)
      this.size += 20 + v.length
      return { t: 'int', v }
    }
    this.size += 65
    if (value instanceof Cell) return { t: 'cell', h: this.nameCell(value) }
    if (value instanceof Slice) {
      this.size += 30
      const { bitStart, bitEnd, refStart, refEnd } = value
      return { t: 'slice', h: this.nameCell(value.cell), b: [bitStart, bitEnd], r: [refStart, refEnd] }
    }
    if (value instanceof Builder) return { t: 'builder', h: this.nameCell(value.toCell()) }
    return this.writeContinuation(value as Continuation)
  }

  writeContinuation({ kind, code }: Continuation): RecordedValue {
    if (code === undefined) return { t: 'cont', k: kind }
    return { t: 'cont', k: kind, h: hashOf(code.cell), o: code.bitStart }
  }

  private keep(hash: string, cell: Cell): void {
    if (this.named.size >= MAX_NAMED_CELLS || this.cellsSize > MAX_CELLS_SIZE || !isSmallTree(cell)) {
      if (this.named.size < MAX_NAMED_CELLS) this.named.add(hash)
      this.cellsLeftOut++
      return
    }
    this.named.add(hash)
    const boc = toBase64(encodeBoc([cell]))
    this.cellsSize += boc.length + 50
    this.cells[hash] = boc
  }
}

/** Whether a tree has at most {@link MAX_TREE} cells, those that occur again counted again. */
const isSmallTree = (root: Cell): boolean => {
  let left = MAX_TREE
  const visit = ({ arena, index, refCount }: Cell): boolean => {
    if (--left < 0) return false
    const start = arena.refStart[index]!
    for (let k = 0; k < refCount; k++) if (!visit(cellAt(arena, arena.refs[start + k]!))) return false
    return true
  }
  return visit(root)
}
