import type { ComponentChildren } from 'preact'
import { type CellNode, splitDifference } from '../model/cellTree.ts'

const MAX_CELLS = 60

type CellTreeProps = {
  readonly root: CellNode
  /** The cells in the same positions of another tree: those that differ are marked. */
  readonly other?: CellNode | undefined
}

/** A tree of cells: bits in hexadecimal digits, references below. */
export const CellTree = ({ root, other }: CellTreeProps) => {
  const lines: ComponentChildren[] = []
  const add = (cell: CellNode, depth: number, same: CellNode | undefined, path: string): void => {
    if (lines.length >= MAX_CELLS) return
    const [head, middle, tail] = splitDifference(cell.hex, other === undefined ? cell.hex : (same?.hex ?? ''))
    const isChanged = other !== undefined && (same?.hex !== cell.hex || same.bits !== cell.bits)
    lines.push(
      <li key={path} class={`cell-line ${isChanged ? 'is-changed' : ''}`} style={{ paddingLeft: `${depth * 14}px` }}>
        <span class="mono value">
          {cell.hex === '' && 'empty'}
          {head}
          {middle !== '' && <mark>{middle}</mark>}
          {tail}
        </span>
        <span class="muted small">
          {cell.bits} bits{cell.isExotic && ', exotic'}
        </span>
      </li>,
    )
    for (const [index, ref] of cell.refs.entries()) add(ref, depth + 1, same?.refs[index], `${path}.${index}`)
  }
  add(root, 0, other, '0')
  return (
    <ul class="cell-tree">
      {lines}
      {lines.length >= MAX_CELLS && <li class="muted small">The first {MAX_CELLS} cells are shown.</li>}
    </ul>
  )
}
