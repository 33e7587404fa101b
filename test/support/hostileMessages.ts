import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'

const cellOf = (write: (w: CellWriter) => unknown): Cell => {
  const w = new CellWriter()
  write(w)
  return w.toCell()
}

/** A dictionary whose forks have one cell as both of their branches, so many levels down. */
const sharedForks = (leaf: Cell, levels: number): Cell => {
  let branch = leaf
  for (let k = 0; k < levels; k++) {
    const below = branch
    branch = cellOf((w) => w.writeUint(0, 2).writeRef(below).writeRef(below))
  }
  return branch
}

const burn = (serial: number, forks: Cell): Cell =>
  cellOf((w) => w.writeUint(0x73403c43, 32).writeUint64(BigInt(serial)).writeBit(true).writeRef(forks).writeBit(false))

/** bidask_burn with 4096 keys in 14 cells, each with a label in unary digits: 200 bytes that spell out megabytes of JSON. */
export const amplifyingDictionary = (serial: number): Cell => {
  const leaf = cellOf((w) => {
    w.writeBit(false).writeUint(0xf_ffff, 20).writeBit(false)
    w.writeUint(serial, 20).writeUint(serial, 32)
  })
  return burn(serial, sharedForks(leaf, 12))
}

/** bidask_burn with 2^32 keys in 33 cells. */
const endlessDictionary = (serial: number): Cell =>
  burn(
    serial,
    sharedForks(
      cellOf((w) => w.writeUint(0, 2).writeUint(serial, 32)),
      32,
    ),
  )

/** The same, but each leaf turns out not to fit when it is reached. */
const unreadableDictionary = (serial: number): Cell =>
  burn(
    serial,
    sharedForks(
      cellOf((w) => w.writeUint(0, 2).writeUint(serial & 0xffff, 16)),
      32,
    ),
  )

/** jetton_transfer that carries itself twice, and so on. */
const nestedTransfer = (serial: number, levels = 40): Cell => {
  let body = cellOf((w) => w.writeUint(serial, 32))
  for (let k = 0; k < levels; k++) {
    const payload = body
    body = cellOf((w) =>
      w
        .writeUint(0x0f8a7ea5, 32)
        .writeUint64(BigInt(serial))
        .writeCoins(1n)
        .writeUint(0, 4)
        .writeBit(true)
        .writeRef(payload)
        .writeCoins(0n)
        .writeBit(true)
        .writeRef(payload),
    )
  }
  return body
}

/** A list of actions, each of which is a message with the same long chain of empty cells as its text. */
const emptyTexts = (serial: number): Cell => {
  let text = emptyCell
  for (let k = 0; k < 900; k++) {
    const next = text
    text = cellOf((w) => w.writeRef(next))
  }
  const comment = cellOf((w) => w.writeUint(0, 32).writeRef(text))
  let body = comment
  for (let k = 0; k < 9; k++) {
    const payload = body
    body = cellOf((w) =>
      w
        .writeUint(0x0f8a7ea5, 32)
        .writeUint64(BigInt(serial))
        .writeCoins(1n)
        .writeUint(0, 4)
        .writeBit(true)
        .writeRef(payload)
        .writeCoins(0n)
        .writeBit(true)
        .writeRef(comment),
    )
  }
  return body
}

/** A text as long as wanted, in a chain of cells. */
export const longText = (serial: number, cells: number): Cell => {
  let text = cellOf((w) => w.writeBytes(new TextEncoder().encode(String(serial).padStart(120, '.'))))
  for (let k = 1; k < cells; k++) {
    const next = text
    text = cellOf((w) => w.writeBytes(new Uint8Array(120).fill(97 + (k % 26))).writeRef(next))
  }
  return cellOf((w) => w.writeUint(0, 32).writeRef(text))
}

/** All kinds in turn. */
export const hostileBody = (serial: number): Cell => {
  const make = [amplifyingDictionary, endlessDictionary, unreadableDictionary, nestedTransfer, emptyTexts][serial % 5]!
  return make(serial)
}
