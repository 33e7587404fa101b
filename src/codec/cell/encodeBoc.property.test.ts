import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryExoticTree, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { assembleBag, rawCell } from '../../../test/support/RawBag.ts'
import { hashOf, ordinary, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { encodeBoc } from './encodeBoc.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

type Node = { readonly cell: ReferenceCell; readonly refs: Node[]; weight: number; carries: boolean; number: number }

/** The node's order of cells, straight from the five steps of the protocol page. */
const orderByRules = (roots: readonly ReferenceCell[]): { readonly nodes: Node[]; readonly roots: Node[] } => {
  const imported = new Map<string, Node>()
  const importCell = (cell: ReferenceCell): Node => {
    const known = imported.get(hashOf(cell))
    if (known !== undefined) return known
    const refs = cell.refs.map(importCell)
    const weight = Math.min(
      255,
      refs.reduce((sum, ref) => sum + ref.weight, 1),
    )
    const node: Node = { cell, refs, weight, carries: false, number: -1 }
    imported.set(hashOf(cell), node)
    return node
  }
  const rootNodes = roots.map(importCell)
  const nodes = [...imported.values()]
  for (const { refs } of nodes.toReversed()) {
    let budget = 63
    const capped: Node[] = []
    for (const [j, ref] of refs.entries()) {
      if (ref.weight <= Math.floor((63 + j) / refs.length)) budget -= ref.weight
      else capped.push(ref)
    }
    for (const ref of capped) {
      ref.weight = Math.min(ref.weight, Math.floor(budget / capped.length))
      budget += 1
    }
  }
  for (const node of nodes) {
    const sum = node.refs.reduce((all, ref) => all + ref.weight, 1)
    node.carries = sum > node.weight
    node.weight = node.carries ? 0 : sum
  }
  const previsited = new Set<Node>()
  const visited = new Set<Node>()
  let next = 0
  const previsit = (node: Node): void => {
    if (previsited.has(node) || visited.has(node)) return
    for (const ref of node.refs.toReversed())
      if (ref.carries) visit(ref)
      else previsit(ref)
    previsited.add(node)
  }
  const visit = (node: Node): void => {
    if (visited.has(node)) return
    if (node.carries) previsit(node)
    for (const ref of node.refs.toReversed()) visit(ref)
    for (const ref of node.refs.toReversed()) allocate(ref)
    visited.add(node)
  }
  const allocate = (node: Node): void => {
    if (node.number < 0) node.number = next++
  }
  for (const root of rootNodes) {
    previsit(root)
    visit(root)
  }
  for (const root of rootNodes) allocate(root)
  return { nodes: nodes.sort((a, b) => b.number - a.number), roots: rootNodes }
}

const expectedBag = (roots: readonly ReferenceCell[], full: boolean): Uint8Array => {
  const order = orderByRules(roots)
  const place = (node: Node): number => order.nodes.length - 1 - node.number
  return assembleBag({
    cells: order.nodes.map((node) => rawCell(node.cell, node.refs.map(place), full && node.carries)),
    roots: order.roots.map(place),
    index: full,
    crc: full,
    cacheBits: full,
  })
}

const compare = (roots: readonly ReferenceCell[]): void => {
  const cells = roots.map(toCell)
  const plain = { index: false, crc: false, cacheBits: false, innerHashes: false }
  const all = { index: true, crc: true, cacheBits: true, innerHashes: true }
  assert.equal(toHex(encodeBoc(cells, plain)), toHex(expectedBag(roots, false)))
  assert.equal(toHex(encodeBoc(cells, all)), toHex(expectedBag(roots, true)))
}

test('bags of random trees are byte for byte what the rules of the node give', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(fc.property(fc.array(arbitraryTree(120), { minLength: 1, maxLength: 3 }), compare), { seed, numRuns: 200 })
  fc.assert(fc.property(fc.array(arbitraryTree(20), { minLength: 1, maxLength: 1 }), compare), { seed, numRuns: 300 })
  fc.assert(
    fc.property(fc.array(arbitraryExoticTree([1, 2, 3, 4, 5, 6, 7], 60), { minLength: 1, maxLength: 2 }), compare),
    { seed, numRuns: 200 },
  )
})

test('large regular trees, where weights are shared out, are byte for byte what the rules give', () => {
  for (const width of [1, 2, 3, 4]) {
    let level = Array.from({ length: width === 1 ? 1 : 300 }, (_, k) => ordinary(k.toString(2).padStart(12, '0')))
    for (let depth = 0; depth < (width === 1 ? 500 : 0); depth++) {
      level = level.map((cell) => ordinary(depth.toString(2), [cell]))
    }
    while (level.length > 1) {
      const above: ReferenceCell[] = []
      for (let k = 0; k < level.length; k += width) above.push(ordinary(k.toString(2), level.slice(k, k + width)))
      level = above
    }
    compare(level)
  }
})
