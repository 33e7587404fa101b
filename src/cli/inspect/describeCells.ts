import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { LIBRARY_REFERENCE, MERKLE_PROOF, MERKLE_UPDATE, PRUNED_BRANCH } from '../../codec/cell/exotic.ts'
import { toHex, toUpperHex } from '../../primitives/hex.ts'

/** As many as a person looks at. */
const MOST_LINES = 40
const DEEPEST = 32
const SHOWN_DIGITS = 64

/** The tree below a cell, a line for each, from the top: its bits, its data, the beginning of its hash. */
export const drawCells = (root: Cell): string[] => {
  const lines: string[] = []
  const waiting: { readonly cell: Cell; readonly depth: number }[] = [{ cell: root, depth: 0 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (lines.length >= MOST_LINES) return [...lines, '… and more']
    const { cell, depth } = next
    lines.push(`${'  '.repeat(depth)}${describeCell(cell)}`)
    if (depth >= DEEPEST && cell.refCount > 0) lines.push(`${'  '.repeat(depth + 1)}…`)
    else for (let k = cell.refCount - 1; k >= 0; k--) waiting.push({ cell: cell.ref(k), depth: depth + 1 })
  }
  return lines
}

const describeCell = (cell: Cell): string => {
  const data = formatBits(cell)
  const shown = data.length > SHOWN_DIGITS ? `${data.slice(0, SHOWN_DIGITS)}…` : data
  const kind = cell.isExotic ? ` ${exoticKinds.get(cell.exoticType) ?? 'exotic'}` : ''
  return `x{${shown}} ${cell.bits} bits${kind} (${toHex(cell.hash()).slice(0, 8)})`
}

const exoticKinds: ReadonlyMap<number, string> = new Map([
  [PRUNED_BRANCH, 'pruned branch'],
  [LIBRARY_REFERENCE, 'library reference'],
  [MERKLE_PROOF, 'Merkle proof'],
  [MERKLE_UPDATE, 'Merkle update'],
])

/** Hexadecimal digits; where the bits do not fill the last, a 1 and zeros do, and an underscore says so. */
const formatBits = (cell: Cell): string => {
  const { bits } = cell
  const bytes = openRaw(cell).readBits(bits)
  const digits = Math.ceil(bits / 4)
  if (bits % 4 === 0) return toUpperHex(bytes).slice(0, digits)
  const padded = Uint8Array.from(bytes)
  padded[bits >> 3]! |= 0x80 >> (bits & 7)
  return `${toUpperHex(padded).slice(0, digits)}_`
}
