import { PackedCellError } from './errors.ts'

export const EXOTIC = 8
export const SHARED = 16

/** A number of seven bits a byte, low ones first; where it ends is left in {@link varintEnd}. */
export const readVarint = (bytes: Uint8Array, at: number): number => {
  let value = 0
  for (let k = 0; k < 5; k++) {
    const byte = bytes[at + k]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * k)
    if (byte < 0x80) {
      varintEnd = at + k + 1
      return value
    }
  }
  throw new PackedCellError('A packed cell points at another with a number that does not end.')
}

export let varintEnd = 0

/** How many cells there are; all that can be wrong with the records themselves is refused here. */
export const countRecords = (bytes: Uint8Array, maxCells: number): number => {
  let count = 0
  /** Trees that no parent has taken yet. */
  let open = 0
  for (let at = 0; at < bytes.length; count++) {
    if (count === maxCells) throw new PackedCellError(`At most ${maxCells} packed cells are read, there are more.`)
    const head = bytes[at]!
    const refs = head & 7
    if (refs > 4 || head >= 32) {
      throw new PackedCellError(`Packed cell ${count} begins with ${head}, which no cell does.`)
    }
    const size = ((bytes[at + 1] ?? 0) + 1) >> 1
    at += 2 + size
    let taken = refs
    if ((head & SHARED) !== 0) {
      const mask = bytes[at++] ?? 0
      if (mask === 0 || mask >> refs !== 0) {
        throw new PackedCellError(`Packed cell ${count} with ${refs} references says that it points by ${mask}.`)
      }
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const back = readVarint(bytes, at)
        if (back < 1 || back > count) {
          throw new PackedCellError(`Packed cell ${count} points ${back} cells back, where none is.`)
        }
        at = varintEnd
        taken--
      }
    }
    if (at > bytes.length) throw new PackedCellError(`Packed cell ${count} runs past the end of ${bytes.length} bytes.`)
    if (taken > open) throw new PackedCellError(`Packed cell ${count} takes ${taken} cells, ${open} came before it.`)
    open += 1 - taken
  }
  if (open !== 1) throw new PackedCellError(`One packed tree of cells was expected, ${open} came.`)
  return count
}
