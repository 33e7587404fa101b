import type { CellArena } from './CellArena.ts'
import { BocError } from './errors.ts'
import { findExoticFault, levelMaskOf, MAX_DEPTH, MERKLE_PROOF, popcount3 } from './exotic.ts'

/**
 * Reads the record of cell `i` that starts at `at` and must end by `end` into the columns of `arena`, its references from
 * `refAt` on; returns where it ends. Everything that the record alone can show is checked.
 */
export const readCellRecord = (
  arena: CellArena,
  i: number,
  at: number,
  end: number,
  refSize: number,
  refAt: number,
): number => {
  const { bytes, refs, count } = arena
  if (at + 2 > end) failCell(i, 'its record runs past the end of the cell area')
  const d1 = bytes[at]!
  const d2 = bytes[at + 1]!
  const refCount = d1 & 7
  if (refCount > 4) failCell(i, `it states ${refCount} references, at most 4 are allowed`)
  const data = at + 2 + ((d1 & 16) === 0 ? 0 : 34 * (popcount3(d1 >> 5) + 1))
  const length = (d2 >> 1) + (d2 & 1)
  const recordEnd = data + length + refCount * refSize
  if (recordEnd > end) failCell(i, 'its record runs past the end of the cell area')
  let bits = 8 * length
  if ((d2 & 1) !== 0) {
    const last = bytes[data + length - 1]!
    if ((last & 0x7f) === 0)
      failCell(
        i,
        `its last data byte is ${last.toString(16).padStart(2, '0')}, where a completion bit must follow data`,
      )
    bits -= 1 + 31 - Math.clz32(last & -last)
  }
  if ((d1 & 8) !== 0) {
    const fault = findExoticFault(bytes, data, bits, refCount)
    if (fault !== undefined) failCell(i, fault)
  }
  arena.d1[i] = d1
  arena.bitLength[i] = bits
  arena.dataStart[i] = data
  arena.refStart[i] = refAt
  let nextRef = refAt
  for (let p = data + length; p < recordEnd; p += refSize) {
    let ref = bytes[p]!
    for (let k = 1; k < refSize; k++) ref = ref * 256 + bytes[p + k]!
    if (ref <= i || ref >= count) failCell(i, `it refers to cell ${ref}; only ${i + 1} to ${count - 1} may follow it`)
    refs[nextRef++] = ref
  }
  return recordEnd
}

/** Works out masks and depths from the last cell to the first; says whether any cell states hashes of its own or others. */
export const settleLevels = (arena: CellArena, lenient: boolean): boolean => {
  const { d1: descriptors, refStart, refs, topDepth } = arena
  let hasStatedHashes = false
  for (let i = arena.count - 1; i >= 0; i--) {
    const d1 = descriptors[i]!
    const start = refStart[i]!
    const end = start + (d1 & 7)
    let childMasks = 0
    let depth = 0
    for (let k = start; k < end; k++) {
      const child = refs[k]!
      childMasks |= descriptors[child]!
      if (topDepth[child]! >= depth) depth = topDepth[child]! + 1
    }
    if (depth > MAX_DEPTH) failCell(i, `its tree is more than ${MAX_DEPTH} deep`)
    topDepth[i] = depth
    let mask = childMasks >> 5
    if ((d1 & 8) !== 0) {
      const type = arena.exoticType(i)
      mask = levelMaskOf(type, arena.bytes[arena.dataStart[i]! + 1]!, mask)
      if (type >= MERKLE_PROOF) hasStatedHashes = true
    }
    if (mask !== d1 >> 5) {
      // Stored hashes cannot be found with a wrong mask, so leniency ends there.
      if (!lenient || (d1 & 16) !== 0) failCell(i, `its level mask is ${d1 >> 5}, its content gives ${mask}`)
      descriptors[i] = (d1 & 31) | (mask << 5)
    }
    if ((d1 & 16) !== 0) hasStatedHashes = true
  }
  return hasStatedHashes
}

export const failCell = (index: number, fault: string): never => {
  throw new BocError(`Cell ${index} of the bag is not acceptable: ${fault}.`)
}
