import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWalk } from './CellWalk.ts'
import type { SlicedWork } from './slicedWork.ts'

const CELLS_PER_YIELD = 256

/**
 * Writes a bag of cells in slices: the codec's own writer does it at once, and a large state takes so long that no block could
 * be made meanwhile. Any reader takes the bag, but the order of its cells is not the one that nodes give their files.
 */
export function* writeBag(roots: readonly Cell[]): SlicedWork<Uint8Array> {
  const cells: Cell[] = []
  const refs: number[] = []
  const refStart: number[] = []
  let dataSize = 0
  const walk = new CellWalk({
    take(cell, children) {
      cells.push(cell)
      refStart.push(refs.length)
      for (const child of children) refs.push(child)
      dataSize += 2 + ((cell.bits + 7) >> 3)
    },
    hasHash: (number, hash) => cells[number]!.hasHash(hash),
  })
  const rootNumbers: number[] = []
  for (const root of roots) rootNumbers.push(yield* walk.visit(root))
  // Cells are visited children first, and a bag has parents first: positions run backwards.
  const last = walk.count - 1
  const refSize = bytesFor(walk.count)
  const cellsSize = dataSize + refs.length * refSize
  const positions = rootNumbers.map((number) => last - number)
  const head = encodeHead(walk.count, positions, cellsSize, refSize)
  const bag = new Uint8Array(head.length + cellsSize)
  bag.set(head)
  let at = head.length
  for (let number = last; number >= 0; number--) {
    const cell = cells[number]!
    at = putCell(bag, at, cell)
    for (let k = 0; k < cell.refCount; k++, at += refSize) put(bag, at, last - refs[refStart[number]! + k]!, refSize)
    if (number % CELLS_PER_YIELD === 0) yield undefined
  }
  return bag
}

/** Descriptors and data; says where they end. */
const putCell = (bag: Uint8Array, at: number, { arena, index, bits }: Cell): number => {
  const length = (bits + 7) >> 3
  const data = arena.dataStart[index]!
  // The source bag may store hashes with a cell; this one does not.
  bag[at] = arena.d1[index]! & ~16
  bag[at + 1] = (bits >> 3) + length
  for (let k = 0; k < length; k++) bag[at + 2 + k] = arena.bytes[data + k]!
  return at + 2 + length
}

/** Magic, sizes, numbers of cells and roots, none absent, length of the cells, roots. */
const encodeHead = (count: number, roots: readonly number[], cellsSize: number, refSize: number): Uint8Array => {
  const offsetSize = bytesFor(cellsSize)
  const head = new Uint8Array(6 + 3 * refSize + offsetSize + roots.length * refSize)
  put(head, 0, 0xb5ee9c72, 4)
  head[4] = refSize
  head[5] = offsetSize
  let at = 6
  for (const value of [count, roots.length, 0]) {
    put(head, at, value, refSize)
    at += refSize
  }
  put(head, at, cellsSize, offsetSize)
  at += offsetSize
  for (const root of roots) {
    put(head, at, root, refSize)
    at += refSize
  }
  return head
}

const bytesFor = (value: number): number => {
  let size = 1
  while (value >= 256 ** size) size++
  return size
}

const put = (out: Uint8Array, at: number, value: number, size: number): void => {
  let rest = value
  for (let k = size - 1; k >= 0; k--) {
    out[at + k] = rest
    rest = Math.floor(rest / 256)
  }
}
