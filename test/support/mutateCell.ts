import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { fromCell, listCells, ordinary, type ReferenceCell, toCell } from './referenceCell.ts'

type Change = { readonly kind: number; readonly cell: number; readonly at: number; readonly other: number }

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.nat(7),
  cell: fc.nat(9999),
  at: fc.nat(9999),
  other: fc.nat(9999),
})

/** The cell with one thing about it wrong. `below` are the cells that may stand under it. */
const spoil = (cell: ReferenceCell, below: readonly ReferenceCell[], { kind, at, other }: Change): ReferenceCell => {
  const { bits, refs } = cell
  const place = at % (bits.length + 1)
  const ref = refs.length === 0 ? 0 : at % refs.length
  const stranger = below.length === 0 ? ordinary('') : below[other % below.length]!
  switch (kind) {
    case 0:
    case 1:
      return { ...cell, bits: bits.slice(0, place) + (bits[place] === '1' ? '0' : '1') + bits.slice(place + 1) }
    case 2:
      return { ...cell, bits: bits.slice(0, place) }
    case 3:
      return { ...cell, bits: (bits + other.toString(2)).slice(0, 1023) }
    case 4:
      return { ...cell, refs: refs.filter((_, k) => k !== ref) }
    case 5:
      return { ...cell, refs: [...refs, stranger].slice(0, 4) }
    case 6:
      return { ...cell, refs: refs.map((old, k) => (k === ref ? stranger : old)) }
    default:
      return { ...cell, refs: refs.toReversed() }
  }
}

/** A cell that a report prints as the hex of its bag. */
export type Mutant = { readonly cell: Cell }

/** Trees with one to three changes to this one: bits flipped, cut or added, references lost, doubled or exchanged. */
export const arbitraryMutant = (root: Cell): fc.Arbitrary<Mutant> => {
  const original = fromCell(root)
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const cell = toCell(changes.reduce(mutate, original))
    return { cell, ...{ [fc.toStringMethod]: () => toHex(encodeBoc([cell])) } }
  })
}

const mutate = (root: ReferenceCell, change: Change): ReferenceCell => {
  const cells = listCells(root).filter(({ exotic }) => !exotic)
  const target = cells[change.cell % cells.length]
  if (target === undefined) return root
  const spoilt = new Map([[target, spoil(target, cells.slice(cells.indexOf(target) + 1), change)]])
  // From the leaves up, so that every cell above the changed one is made anew.
  for (const cell of listCells(root).reverse()) {
    if (spoilt.has(cell)) continue
    const refs = cell.refs.map((ref) => spoilt.get(ref) ?? ref)
    if (refs.some((ref, k) => ref !== cell.refs[k])) spoilt.set(cell, { ...cell, refs })
  }
  return spoilt.get(root) ?? root
}

/** Runs what may fail by one of our errors and by nothing else. Says whether it passed. */
export const passesOrFailsCoded = (run: () => void): boolean => {
  try {
    run()
    return true
  } catch (error) {
    assert.ok(error instanceof CodedError, `expected a CodedError, got ${error}`)
    return false
  }
}
