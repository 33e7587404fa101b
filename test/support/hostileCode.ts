import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { fromHex } from '../../src/primitives/hex.ts'

const codeCell = (hex: string, ...refs: readonly Cell[]): Cell => {
  const w = new CellWriter().writeBytes(fromHex(hex))
  for (const ref of refs) w.writeRef(ref)
  return w.toCell()
}

/** Each cell is made of the one below. */
const stack = (levels: number, bottom: Cell, above: (below: Cell, level: number) => Cell): Cell => {
  let cell = bottom
  for (let k = 0; k < levels; k++) cell = above(cell, k)
  return cell
}

/** Branches to 2^levels leaves that are not equal. */
const tree = (levels: number, leaf: (serial: number) => Cell, serial = 1): Cell =>
  levels === 0
    ? leaf(serial)
    : codeCell(IFREFELSEREF, tree(levels - 1, leaf, 2 * serial), tree(levels - 1, leaf, 2 * serial + 1))

/** A dictionary whose forks have one cell as both of their branches: 2^levels equal leaves. */
const sharedDictionary = (levels: number, leaf: (w: CellWriter) => CellWriter): Cell =>
  stack(levels, leaf(new CellWriter().writeUint(0, 2)).toCell(), (below) =>
    new CellWriter().writeUint(0, 2).writeRef(below).writeRef(below).toCell(),
  )

/** DICTPUSHCONST with keys of so many bits, in hexadecimal digits. */
const pushDictionary = (keyBits: number): string => (0xf4a400 | keyBits).toString(16)

const NOP = '00'
const CALLREF = 'db3c'
const IFREFELSEREF = 'e30f'
/** PUSHSLICE of 110 bytes and 6 bits: the longest line there is. */
const writeLongLine = (w: CellWriter): CellWriter =>
  w
    .writeUint((0x8d << 10) | 110, 18)
    .writeBytes(new Uint8Array(110).fill(0x77))
    .writeUint(0x20, 6)

/** A bottom that is another for each number, so that cells above it are not equal either. */
const numbered = (serial: number): Cell =>
  new CellWriter()
    .writeUint(0x80, 8)
    .writeUint(serial & 0x7f, 8)
    .toCell()

/** Small code that is enormous when it is spelled out. */
export const hostileCodes = (): Readonly<Record<string, Cell>> => {
  const many = sharedDictionary(30, (w) => w)
  const spine = stack(900, new CellWriter().toCell(), (below) =>
    new CellWriter().writeUint(0, 2).writeRef(below).writeRef(below).toCell(),
  )
  const branches = (depth: number): Cell => stack(depth, codeCell(NOP), (below) => codeCell(IFREFELSEREF, below, below))
  return {
    'two branches that are one cell': branches(60),
    'the same, very deep': branches(1000),
    'calls of one cell, and it follows': stack(500, codeCell(NOP), (below) =>
      codeCell(CALLREF.repeat(3), below, below, below, below),
    ),
    'cells that only lead to the next': stack(1000, codeCell(NOP), (below) =>
      new CellWriter().writeRef(below).toCell(),
    ),
    'calls of such a chain': stack(100, codeCell(NOP), (below, level) => {
      const chain = stack(500, numbered(level), (next) => new CellWriter().writeRef(next).toCell())
      return codeCell(CALLREF.repeat(3), chain, chain, chain, below)
    }),
    'as many methods as atoms': codeCell(pushDictionary(30), many),
    'many such dictionaries': stack(400, codeCell(NOP), (below) =>
      codeCell(pushDictionary(30).repeat(3), many, many, many, below),
    ),
    'dictionaries in the methods of dictionaries': stack(60, codeCell(NOP), (below, level) =>
      codeCell(
        pushDictionary(12),
        sharedDictionary(12, (w) =>
          w
            .writeBytes(fromHex(`${pushDictionary(12)}80${level.toString(16).padStart(2, '0')}`))
            .writeRef(level === 0 ? many : below),
        ),
      ),
    ),
    'long lines in every method': codeCell(pushDictionary(30), sharedDictionary(30, writeLongLine)),
    'dictionaries that end in nothing': tree(11, (serial) =>
      codeCell(
        `81${serial.toString(16).padStart(4, '0')}${pushDictionary(1000).repeat(4)}`,
        spine,
        spine,
        spine,
        spine,
      ),
    ),
    'continuations in one another': codeCell(nestedContinuations(60)),
    'instructions and nothing else': stack(1000, codeCell(NOP), (below) => codeCell(NOP.repeat(126), below)),
  }
}

/** PUSHCONT of PUSHCONT, and so on. */
const nestedContinuations = (levels: number): string => {
  let hex = NOP
  for (let k = 0; k < levels; k++) hex = `8e${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`
  return hex
}
