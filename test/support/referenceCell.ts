import { createHash } from 'node:crypto'
import { BitString, Cell as CoreCell } from '@ton/core'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openRaw } from '../../src/codec/cell/CellReader.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { toHex } from '../../src/primitives/hex.ts'

/**
 * A cell as text and plain objects, hashed straight from the rules of the protocol page with nothing shared or packed: slow,
 * and for that reason something to hold the real cells against. `@ton/core` misreads pruned branches whose level mask has a
 * gap (2, 4, 5, 6), so it cannot be the only judge.
 */
export type ReferenceCell = {
  /** Data as `0` and `1`. */
  readonly bits: string
  readonly refs: readonly ReferenceCell[]
  readonly exotic: boolean
}

export const ordinary = (bits: string, refs: readonly ReferenceCell[] = []): ReferenceCell => ({
  bits,
  refs,
  exotic: false,
})

const exotic = (bytes: Uint8Array, refs: readonly ReferenceCell[] = []): ReferenceCell => ({
  bits: toBits(bytes),
  refs,
  exotic: true,
})

export const toBits = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')

/** Bits as bytes, left-aligned, the rest of the last one zero. */
export const fromBits = (bits: string): Uint8Array =>
  Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, k) =>
    Number.parseInt(bits.slice(8 * k, 8 * k + 8).padEnd(8, '0'), 2),
  )

const typeOf = (cell: ReferenceCell): number => (cell.exotic ? Number.parseInt(cell.bits.slice(0, 8), 2) : 0)

const levelsOf = (mask: number): number[] => [0, 1, 2].filter((level) => (mask & (1 << level)) !== 0)

const masks = new WeakMap<ReferenceCell, number>()

export const maskOf = (cell: ReferenceCell): number => {
  const known = masks.get(cell)
  if (known !== undefined) return known
  const below = cell.refs.reduce((all, ref) => all | maskOf(ref), 0)
  const type = typeOf(cell)
  const mask = type === 1 ? fromBits(cell.bits)[1]! : type === 2 ? 0 : type >= 3 ? below >> 1 : below
  masks.set(cell, mask)
  return mask
}

type Slots = { readonly hashes: readonly string[]; readonly depths: readonly number[] }
const slots = new WeakMap<ReferenceCell, Slots>()

const slotsOf = (cell: ReferenceCell): Slots => {
  // From the leaves up, so that a tree of depth 1024 does not exhaust the stack.
  if (!slots.has(cell)) for (const below of listCells(cell).reverse()) slots.set(below, computeSlots(below))
  return slots.get(cell)!
}

/** Hash (hex) and depth in each of the slots 0 to 3; a slot that does not exist repeats the next one that does. */
const computeSlots = (cell: ReferenceCell): Slots => {
  const hashes: string[] = []
  const depths: number[] = []
  const mask = maskOf(cell)
  const existing = [...levelsOf(mask), 3]
  const computed = existing.map((slot, k) => {
    if (typeOf(cell) === 1 && slot < 3) return readPruned(cell, k)
    const previous = k === 0 || typeOf(cell) === 1 ? undefined : hashes[existing[k - 1]!]
    const [hash, depth] = computeSlot(cell, slot, previous)
    hashes[slot] = hash
    return [hash, depth] as const
  })
  for (let level = 0; level <= 3; level++) {
    const k = existing.findIndex((slot) => slot >= level)
    hashes[level] = computed[k]![0]
    depths[level] = computed[k]![1]
  }
  return { hashes, depths }
}

const readPruned = (cell: ReferenceCell, k: number): readonly [string, number] => {
  const bytes = Buffer.from(fromBits(cell.bits))
  const stored = levelsOf(bytes[1]!).length
  return [bytes.toString('hex', 2 + 32 * k, 34 + 32 * k), bytes.readUInt16BE(2 + 32 * stored + 2 * k)]
}

const computeSlot = (cell: ReferenceCell, slot: number, previous: string | undefined): readonly [string, number] => {
  const { bits, refs } = cell
  const mask = maskOf(cell) & ((1 << slot) - 1)
  const d1 = refs.length + (cell.exotic ? 8 : 0) + 32 * mask
  const d2 = Math.floor(bits.length / 8) + Math.ceil(bits.length / 8)
  const padded = bits.length % 8 === 0 ? bits : `${bits}1`
  const payload = previous === undefined ? fromBits(padded) : Buffer.from(previous, 'hex')
  const childLevel = typeOf(cell) >= 3 ? Math.min(3, slot + 1) : slot
  const hash = createHash('sha256').update(Uint8Array.of(d1, d2)).update(payload)
  const depths = refs.map((ref) => depthOf(ref, childLevel))
  for (const depth of depths) hash.update(Uint8Array.of(depth >> 8, depth & 0xff))
  for (const ref of refs) hash.update(Buffer.from(hashOf(ref, childLevel), 'hex'))
  return [hash.digest('hex'), depths.length === 0 ? 0 : 1 + Math.max(...depths)]
}

export const hashOf = (cell: ReferenceCell, level = 3): string => slotsOf(cell).hashes[level]!

export const depthOf = (cell: ReferenceCell, level = 3): number => slotsOf(cell).depths[level]!

const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 0xff)
const bytesOf = (...parts: (Uint8Array | string)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))

/** A pruned branch of this mask with the hashes (hex) and depths given. */
export const prunedBranch = (mask: number, hashes: readonly string[], depths: readonly number[]): ReferenceCell =>
  exotic(bytesOf(Uint8Array.of(1, mask), ...hashes, ...depths.map(u16)))

/** The pruned branch that stands for `cell` at a Merkle depth. */
export const pruneReference = (cell: ReferenceCell, merkleDepth: number): ReferenceCell => {
  const levels = [...levelsOf(maskOf(cell)), 3]
  return prunedBranch(
    maskOf(cell) | (1 << merkleDepth),
    levels.map((level) => hashOf(cell, level)),
    levels.map((level) => depthOf(cell, level)),
  )
}

export const libraryReference = (hash: string): ReferenceCell => exotic(bytesOf(Uint8Array.of(2), hash))

export const merkleProofOf = (child: ReferenceCell): ReferenceCell =>
  exotic(bytesOf(Uint8Array.of(3), hashOf(child, 0), u16(depthOf(child, 0))), [child])

export const merkleUpdateOf = (before: ReferenceCell, after: ReferenceCell): ReferenceCell =>
  exotic(
    bytesOf(Uint8Array.of(4), hashOf(before, 0), hashOf(after, 0), u16(depthOf(before, 0)), u16(depthOf(after, 0))),
    [before, after],
  )

const built = new WeakMap<ReferenceCell, Cell>()

/** The same cell, built with our writer. */
export const toCell = (cell: ReferenceCell): Cell => {
  const known = built.get(cell)
  if (known !== undefined) return known
  const w = new CellWriter()
  for (const bit of cell.bits) w.writeBit(bit === '1')
  for (const ref of cell.refs) w.writeRef(toCell(ref))
  const result = cell.exotic ? w.toExoticCell() : w.toCell()
  built.set(cell, result)
  return result
}

const builtCore = new WeakMap<ReferenceCell, CoreCell>()

/** The same cell, built with `@ton/core`. */
export const toCoreCell = (cell: ReferenceCell): CoreCell => {
  const known = builtCore.get(cell)
  if (known !== undefined) return known
  const bits = new BitString(Buffer.from(fromBits(cell.bits)), 0, cell.bits.length)
  const result = new CoreCell({ exotic: cell.exotic, bits, refs: cell.refs.map(toCoreCell) })
  builtCore.set(cell, result)
  return result
}

/** One of our cells, taken apart. Shared cells stay shared. */
export const fromCell = (root: Cell): ReferenceCell => {
  const known = new Map<string, ReferenceCell>()
  const visit = (cell: Cell): ReferenceCell => {
    const key = toHex(cell.hash())
    const before = known.get(key)
    if (before !== undefined) return before
    const r = openRaw(cell)
    const bits = toBits(r.readBits(cell.bits)).slice(0, cell.bits)
    const refs = Array.from({ length: cell.refCount }, (_, k) => visit(cell.ref(k)))
    const result = { bits, refs, exotic: cell.isExotic }
    known.set(key, result)
    return result
  }
  return visit(root)
}

/** Every cell below and including `root`, each once, parents before children. */
export const listCells = (root: ReferenceCell): ReferenceCell[] => {
  const found = new Set<ReferenceCell>()
  const order: ReferenceCell[] = []
  const visit = (cell: ReferenceCell): void => {
    if (found.has(cell)) return
    found.add(cell)
    for (const ref of cell.refs) visit(ref)
    order.push(cell)
  }
  visit(root)
  return order.reverse()
}
