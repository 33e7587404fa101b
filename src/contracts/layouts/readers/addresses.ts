import type { CellReader } from '../../../codec/cell/CellReader.ts'
import type { DecodedObject } from '../DecodedValue.ts'
import type { Reader } from './Reader.ts'
import { formatBits } from './scalars.ts'
import { upperHex } from './upperHex.ts'

const MAX_ANYCAST = 30

/** `MsgAddressInt`: standard or of variable length. */
export const internalAddressReader: Reader = (r) => {
  if (r.remainingBits < 2) return undefined
  const tag = r.readUint(2)
  return tag === 2 ? readStandard(r) : tag === 3 ? readVariable(r) : undefined
}

/** `MsgAddressExt`: none or outside the chain. */
export const externalAddressReader: Reader = (r) => {
  if (r.remainingBits < 2) return undefined
  const tag = r.readUint(2)
  return tag === 0 ? { '@type': 'addr_none' } : tag === 1 ? readExternal(r) : undefined
}

/** `MsgAddress`: any of the four. */
export const anyAddressReader: Reader = (r) => {
  if (r.remainingBits < 2) return undefined
  switch (r.readUint(2)) {
    case 0:
      return { '@type': 'addr_none' }
    case 1:
      return readExternal(r)
    case 2:
      return readStandard(r)
    default:
      return readVariable(r)
  }
}

const readStandard = (r: CellReader): DecodedObject | undefined => {
  const anycast = readAnycast(r)
  if (anycast === undefined || r.remainingBits < 264) return undefined
  return {
    '@type': 'addr_std',
    anycast,
    workchain_id: r.readInt(8).toString(),
    address: upperHex(r.readBytes(32)),
  }
}

const readVariable = (r: CellReader): DecodedObject | undefined => {
  const anycast = readAnycast(r)
  if (anycast === undefined || r.remainingBits < 41) return undefined
  const length = r.readUint(9)
  const workchain = r.readInt(32)
  if (r.remainingBits < length) return undefined
  return {
    '@type': 'addr_var',
    anycast,
    addr_len: length.toString(),
    workchain_id: workchain.toString(),
    address: formatBits(r.readBits(length), length),
  }
}

const readExternal = (r: CellReader): DecodedObject | undefined => {
  if (r.remainingBits < 9) return undefined
  const length = r.readUint(9)
  if (r.remainingBits < length) return undefined
  return {
    '@type': 'addr_external',
    len: length.toString(),
    external_address: formatBits(r.readBits(length), length),
  }
}

const readAnycast = (r: CellReader): DecodedObject | undefined => {
  if (r.remainingBits < 1) return undefined
  if (!r.readBit()) return { '@type': 'nothing_from_maybe' }
  if (r.remainingBits < 5) return undefined
  const depth = r.readUint(5)
  if (depth < 1 || depth > MAX_ANYCAST || r.remainingBits < depth) return undefined
  const value = {
    '@type': 'anycast_info',
    depth: depth.toString(),
    rewrite_pfx: formatBits(r.readBits(depth), depth),
  }
  return { '@type': 'something_from_maybe', value }
}
