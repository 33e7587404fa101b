import type { CellReader } from '../../../codec/cell/CellReader.ts'
import type { DecodedObject } from '../DecodedValue.ts'
import type { Reader, ReadSession } from './Reader.ts'
import { formatBits } from './scalars.ts'
import { upperHex } from './upperHex.ts'

const MAX_ANYCAST = 30

/** `MsgAddressInt`: standard or of variable length. */
export const internalAddressReader: Reader = (r, session) => {
  if (r.remainingBits < 2) return undefined
  const tag = r.readUint(2)
  return tag === 2 ? readStandard(r, session) : tag === 3 ? readVariable(r, session) : undefined
}

/** `MsgAddressExt`: none or outside the chain. */
export const externalAddressReader: Reader = (r, session) => {
  if (r.remainingBits < 2) return undefined
  const tag = r.readUint(2)
  return tag === 0 ? readNone(session) : tag === 1 ? readExternal(r, session) : undefined
}

/** `MsgAddress`: any of the four. */
export const anyAddressReader: Reader = (r, session) => {
  if (r.remainingBits < 2) return undefined
  switch (r.readUint(2)) {
    case 0:
      return readNone(session)
    case 1:
      return readExternal(r, session)
    case 2:
      return readStandard(r, session)
    default:
      return readVariable(r, session)
  }
}

// Characters of each kind without the digits of its address, with an anycast that is not there.
const NONE_TEXT = 21
const STANDARD_TEXT = 105
const VARIABLE_TEXT = 130
const EXTERNAL_TEXT = 65
/** Characters that an anycast takes beyond one that is not there. */
const ANYCAST_TEXT = 85

const readNone = (session: ReadSession): DecodedObject => {
  session.takeText(NONE_TEXT)
  return { '@type': 'addr_none' }
}

const readStandard = (r: CellReader, session: ReadSession): DecodedObject | undefined => {
  const anycast = readAnycast(r, session)
  if (anycast === undefined || r.remainingBits < 264) return undefined
  session.takeText(STANDARD_TEXT + 64)
  return {
    '@type': 'addr_std',
    anycast,
    workchain_id: r.readInt(8).toString(),
    address: upperHex(r.readBytes(32)),
  }
}

const readVariable = (r: CellReader, session: ReadSession): DecodedObject | undefined => {
  const anycast = readAnycast(r, session)
  if (anycast === undefined || r.remainingBits < 41) return undefined
  const length = r.readUint(9)
  const workchain = r.readInt(32)
  if (r.remainingBits < length) return undefined
  session.takeText(VARIABLE_TEXT + (length >> 2))
  return {
    '@type': 'addr_var',
    anycast,
    addr_len: length.toString(),
    workchain_id: workchain.toString(),
    address: formatBits(r.readBits(length), length),
  }
}

const readExternal = (r: CellReader, session: ReadSession): DecodedObject | undefined => {
  if (r.remainingBits < 9) return undefined
  const length = r.readUint(9)
  if (r.remainingBits < length) return undefined
  session.takeText(EXTERNAL_TEXT + (length >> 2))
  return {
    '@type': 'addr_external',
    len: length.toString(),
    external_address: formatBits(r.readBits(length), length),
  }
}

const readAnycast = (r: CellReader, session: ReadSession): DecodedObject | undefined => {
  if (r.remainingBits < 1) return undefined
  if (!r.readBit()) return { '@type': 'nothing_from_maybe' }
  if (r.remainingBits < 5) return undefined
  const depth = r.readUint(5)
  if (depth < 1 || depth > MAX_ANYCAST || r.remainingBits < depth) return undefined
  session.takeText(ANYCAST_TEXT)
  const value = {
    '@type': 'anycast_info',
    depth: depth.toString(),
    rewrite_pfx: formatBits(r.readBits(depth), depth),
  }
  return { '@type': 'something_from_maybe', value }
}
