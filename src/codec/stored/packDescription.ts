import { ADDRESS_KEY_EXTERN, ADDRESS_KEY_NONE, ADDRESS_KEY_VAR, addressKeyOf } from '../../primitives/Address.ts'
import type { Cell } from '../cell/Cell.ts'
import { findStandardAddress, type MsgAddress } from '../tlb/MsgAddress.ts'
import { PackedCellError, packCellView, readPacked, unpackCell } from './packCell.ts'

/**
 * The cell of a TransactionDescr, packed, with every run of zero bytes as a zero and its length: nodes leave the two state
 * hashes of the virtual machine out, which are 64 of some 150 bytes.
 */
export const packDescription = (description: Cell): Uint8Array<ArrayBuffer> => packDescriptionView(description).slice()

/** As {@link packDescription}, in a buffer that the next call overwrites. */
export const packDescriptionView = (description: Cell): Uint8Array<ArrayBuffer> => {
  const packed = packCellView(description)
  // Runs of one become two bytes.
  if (out.length < 2 * packed.length) out = new Uint8Array(4 * packed.length)
  let length = 0
  for (let at = 0; at < packed.length; ) {
    const byte = packed[at++]!
    out[length++] = byte
    if (byte !== 0) continue
    let run = 1
    while (run < MAX_RUN && packed[at] === 0) {
      run++
      at++
    }
    out[length++] = run
  }
  return out.subarray(0, length)
}

const MAX_RUN = 255
let out = new Uint8Array(1 << 12)

/** The cell that `packDescription` was given. */
export const unpackDescription = (bytes: Uint8Array): Cell => {
  const packed = new Uint8Array(measure(bytes))
  expand(bytes, packed)
  return unpackCell(packed)
}

/** What is read of that cell. It must not keep cells or views of bytes: see {@link readPacked}. */
export const readDescription = <T>(bytes: Uint8Array, read: (description: Cell) => T): T => {
  const length = measure(bytes)
  if (length > expanded.length) return read(unpackDescription(bytes))
  const packed = expanded.subarray(0, length)
  packed.fill(0)
  expand(bytes, packed)
  return readPacked(packed, read)
}

const expanded = new Uint8Array(1 << 10)

/** How long it is with all its zeros. */
const measure = (bytes: Uint8Array): number => {
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) length++
    else {
      const run = bytes[++at] ?? 0
      if (run === 0) throw new PackedCellError('A packed description has a run of zeros without a length.')
      length += run
    }
    if (length > MAX_BYTES) throw new PackedCellError(`A packed description has more than ${MAX_BYTES} bytes.`)
  }
  return length
}

/** Writes what is not zero. */
const expand = (bytes: Uint8Array, packed: Uint8Array): void => {
  let to = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === 0) to += bytes[++at]!
    else packed[to++] = byte
  }
}

const MAX_BYTES = 1 << 22

/** The key of any address that a message may hold: of the account where it means one. */
export const addressKeyOfMsgAddress = (address: MsgAddress): Uint8Array => {
  if (address.kind === 'none') return ADDRESS_KEY_NONE
  if (address.kind === 'extern') return ADDRESS_KEY_EXTERN
  const standard = findStandardAddress(address)
  return standard === undefined ? ADDRESS_KEY_VAR : addressKeyOf(standard)
}
