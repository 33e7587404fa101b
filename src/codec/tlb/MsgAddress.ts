import type { Address } from '../../primitives/Address.ts'
import { replaceLeadingBits } from '../../primitives/bytes.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'

/** anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast; */
export type Anycast = { readonly depth: number; readonly prefix: Uint8Array }

export type AddrNone = { readonly kind: 'none' }
export type AddrExtern = { readonly kind: 'extern'; readonly bits: number; readonly value: Uint8Array }
/** Has the shape of an Address, and the rewriting prefix that old messages may carry. */
export type AddrStd = {
  readonly kind: 'std'
  readonly workchain: number
  readonly hash: Uint8Array
  readonly anycast: Anycast | undefined
}
export type AddrVar = {
  readonly kind: 'var'
  readonly workchain: number
  readonly bits: number
  readonly value: Uint8Array
  readonly anycast: Anycast | undefined
}

export type MsgAddressInt = AddrStd | AddrVar
export type MsgAddressExt = AddrNone | AddrExtern
export type MsgAddress = MsgAddressInt | MsgAddressExt

export const ADDR_NONE: AddrNone = { kind: 'none' }

/**
 * addr_none$00; addr_extern$01 len:(## 9) external_address:(bits len);
 * addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256;
 * addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
 */
export const readMsgAddress = (r: CellReader): MsgAddress => {
  switch (r.readUint(2)) {
    case 0:
      return ADDR_NONE
    case 1: {
      const bits = r.readUint(9)
      return { kind: 'extern', bits, value: r.readBits(bits) }
    }
    case 2: {
      const anycast = readAnycast(r)
      const workchain = r.readInt(8)
      return { kind: 'std', workchain, hash: r.readBytes(32), anycast }
    }
    default: {
      const anycast = readAnycast(r)
      const bits = r.readUint(9)
      const workchain = r.readInt(32)
      return { kind: 'var', workchain, bits, value: r.readBits(bits), anycast }
    }
  }
}

export const readMsgAddressInt = (r: CellReader): MsgAddressInt => {
  const address = readMsgAddress(r)
  if (address.kind === 'std' || address.kind === 'var') return address
  throw new CellError(`Expected an internal address, but got one of kind ${address.kind}.`)
}

export const readMsgAddressExt = (r: CellReader): MsgAddressExt => {
  const address = readMsgAddress(r)
  if (address.kind === 'none' || address.kind === 'extern') return address
  throw new CellError(`Expected an external address, but got one of kind ${address.kind}.`)
}

export const writeMsgAddress = (w: CellWriter, address: MsgAddress): void => {
  switch (address.kind) {
    case 'none':
      w.writeUint(0, 2)
      return
    case 'extern':
      w.writeUint(1, 2).writeUint(address.bits, 9).writeBits(address.value, address.bits)
      return
    case 'std':
      w.writeUint(2, 2)
      writeAnycast(w, address.anycast)
      w.writeInt(address.workchain, 8).writeBytes(address.hash)
      return
    case 'var':
      w.writeUint(3, 2)
      writeAnycast(w, address.anycast)
      w.writeUint(address.bits, 9).writeInt(address.workchain, 32).writeBits(address.value, address.bits)
  }
}

const readAnycast = (r: CellReader): Anycast | undefined => {
  if (!r.readBit()) return undefined
  const depth = r.readUint(5)
  if (depth < 1 || depth > 30) throw new CellError(`An anycast depth is 1 to 30, but got ${depth}.`)
  return { depth, prefix: r.readBits(depth) }
}

const writeAnycast = (w: CellWriter, anycast: Anycast | undefined): void => {
  w.writeBit(anycast !== undefined)
  if (anycast === undefined) return
  if (anycast.depth < 1 || anycast.depth > 30)
    throw new CellError(`An anycast depth is 1 to 30, but got ${anycast.depth}.`)
  w.writeUint(anycast.depth, 5).writeBits(anycast.prefix, anycast.depth)
}

/**
 * The account that an address in a message stands for: an anycast prefix is put in its place. `undefined` for what is no
 * account, and for one that has no standard form.
 */
export const findStandardAddress = (address: MsgAddress): Address | undefined => {
  if (address.kind === 'none' || address.kind === 'extern') return undefined
  const { workchain, anycast } = address
  if (address.kind === 'var' && (address.bits !== 256 || (workchain << 24) >> 24 !== workchain)) return undefined
  const hash = address.kind === 'std' ? address.hash : address.value
  return { workchain, hash: anycast === undefined ? hash : replaceLeadingBits(hash, anycast.prefix, anycast.depth) }
}
