import type { CellReader } from '../../../codec/cell/CellReader.ts'
import {
  type DecodedObject,
  type DecodedValue,
  type Frame,
  NO_FRAME,
  type Reader,
  type ReadSession,
  scalarLength,
  TRUNCATED,
} from '../DecodedValue.ts'
import { formatBits, upperHex } from './scalars.ts'

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

/** Characters of one link of a chain, without what is in it. */
const LINK_TEXT = 60

/** `OutList n`, where n is as many cells as the chain of first references has: the last of them is empty. */
export const outListReader = (action: Reader): Reader => {
  const readList: Reader = (r, session, frame) => {
    if (!session.takeText(LINK_TEXT)) return undefined
    if (r.remainingRefs === 0) return { '@type': 'out_list_empty' }
    const prev = session.readRef(r, readList, frame)
    if (prev === undefined) return undefined
    const last = action(r, session, NO_FRAME)
    return last === undefined ? undefined : { '@type': 'out_list', prev, action: last }
  }
  return readList
}

/** The further actions of a v5 wallet: one here, the rest in the reference that is left, if one is. */
export const extendedActionsReader = (action: Reader): Reader => {
  const readList: Reader = (r, session, frame) => {
    if (!session.takeText(LINK_TEXT)) return undefined
    const first = action(r, session, NO_FRAME)
    if (first === undefined) return undefined
    if (r.remainingRefs === 0) return { '@type': 'extended_list_last', action: first }
    const prev = session.readRef(r, readList, frame)
    return prev === undefined ? undefined : { '@type': 'extended_list_action', action: first, prev }
  }
  return readList
}

/** The messages of a wallet up to v4: one for each reference that is left. */
export const walletMessagesReader =
  (message: Reader): Reader =>
  (r, session) => {
    const count = r.remainingRefs
    session.takeText(LINK_TEXT)
    const shown: Record<string, DecodedValue> = { '@type': `msgs_${count}` }
    for (let k = 1; k <= count; k++) {
      const one = message(r, session, NO_FRAME)
      if (one === undefined) return undefined
      shown[`msg_${k}`] = one
    }
    return shown
  }

/** An array in chunks: whether there is any, then cells that each hold a reference to the next chunk and some items. */
export const chunkedArrayReader =
  (count: (frame: Frame) => number, item: Reader): Reader =>
  (r, session, frame) => {
    const declared = count(frame)
    if (declared === 0 || r.remainingBits < 1 || !r.readBit() || r.remainingRefs === 0) return undefined
    const items: DecodedValue[] = []
    const readChunk: Reader = (chunk) => {
      if (chunk.remainingBits < 1) return undefined
      const hasNext = chunk.readBit()
      if (hasNext && chunk.remainingRefs === 0) return undefined
      const next = hasNext ? chunk.readRefCell() : undefined
      if (chunk.remainingRefs === 0 || items.length + chunk.remainingRefs > declared) return undefined
      while (chunk.remainingRefs > 0) {
        const before = chunk.remainingRefs
        const value = item(chunk, session, NO_FRAME)
        if (value === undefined || chunk.remainingRefs !== before - 1) return undefined
        session.takeText(1 + scalarLength(value))
        items.push(value)
      }
      if (next === undefined) return ''
      return session.readCell(next, readChunk, NO_FRAME)
    }
    const last = session.readRef(r, readChunk, NO_FRAME)
    if (last === TRUNCATED) return [...items, TRUNCATED]
    return last === undefined || items.length !== declared ? undefined : items
  }

/** Text of a DNS record: a number of chunks, each with its own length, each in a reference of the one before. */
export const textReader: Reader = (r, session) => {
  if (r.remainingBits < 8) return undefined
  const chunks = r.readUint(8)
  const rest = chunks === 0 ? { '@type': 'text_chunk_empty' } : readTextChunk(r, session, chunks - 1)
  return rest === undefined ? undefined : { '@type': 'text', chunks: chunks.toString(), rest }
}

const readTextChunk = (r: CellReader, session: ReadSession, further: number): DecodedObject | undefined => {
  if (r.remainingBits < 8) return undefined
  const length = r.readUint(8)
  if (r.remainingBits < 8 * length) return undefined
  const data = upperHex(r.readBytes(length))
  session.takeText(2 * LINK_TEXT + data.length)
  const next = further === 0 ? { '@type': 'chunk_ref_empty' } : readTextRef(r, session, further)
  return next === undefined ? undefined : { '@type': 'text_chunk', len: length.toString(), data, next }
}

const readTextRef = (r: CellReader, session: ReadSession, further: number): DecodedObject | undefined => {
  const ref = session.readRef(r, (inner) => readTextChunk(inner, session, further - 1), NO_FRAME)
  return ref === undefined ? undefined : { '@type': 'chunk_ref', ref }
}
