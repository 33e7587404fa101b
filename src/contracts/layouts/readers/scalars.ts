import { ContentBudget } from '../../../codec/content/ContentBudget.ts'
import { DEFAULT_SNAKE_LIMITS, findUtf8, readSnakeWithin } from '../../../codec/content/text.ts'
import { CodedError } from '../../../primitives/errors.ts'
import type { DecodedValue, Frame, Reader, ReadSession } from '../DecodedValue.ts'

const digits = Uint8Array.from('0123456789ABCDEF', (digit) => digit.charCodeAt(0))
const LONGEST = 128
const scratch = Buffer.alloc(2 * LONGEST)

/**
 * Upper-case hex of up to 128 bytes, which is all a cell has. Half of what decoding a transfer takes went into hex; this
 * is several times as fast as the general way, which makes a buffer, a lower-case string and an upper-case one.
 */
export const upperHex = (bytes: Uint8Array): string => {
  const length = bytes.length
  for (let k = 0; k < length; k++) {
    const byte = bytes[k]!
    scratch[2 * k] = digits[byte >> 4]!
    scratch[2 * k + 1] = digits[byte & 15]!
  }
  return scratch.toString('latin1', 0, 2 * length)
}

/** Unsigned integer of a fixed width. */
export const uintReader = (bits: number): Reader => {
  if (bits <= 53) return (r) => (r.remainingBits < bits ? undefined : r.readUint(bits).toString())
  if (bits === 64) return (r) => (r.remainingBits < 64 ? undefined : r.readUint64().toString())
  return (r) => (r.remainingBits < bits ? undefined : r.readUintWide(bits).toString())
}

/** Integer of a fixed width in two's complement. */
export const intReader = (bits: number): Reader => {
  if (bits <= 53) return (r) => (r.remainingBits < bits ? undefined : r.readInt(bits).toString())
  return (r) => (r.remainingBits < bits ? undefined : r.readIntWide(bits).toString())
}

/** `#<= max`: as many bits as `max` takes. */
export const uintUpTo = (max: number): Reader => {
  const bits = 32 - Math.clz32(max)
  return (r) => {
    if (r.remainingBits < bits) return undefined
    const value = r.readUint(bits)
    return value <= max ? value.toString() : undefined
  }
}

export const boolReader: Reader = (r) => (r.remainingBits < 1 ? undefined : r.readBit())

/** A bit string of a fixed length. */
export const bitsReader = (bits: number): Reader => {
  if (bits % 8 === 0) {
    const bytes = bits >> 3
    return (r) => (r.remainingBits < bits ? undefined : upperHex(r.readBytes(bytes)))
  }
  return (r) => (r.remainingBits < bits ? undefined : formatBits(r.readBits(bits), bits))
}

/** A bit string whose length an earlier field gives. */
export const countedBitsReader =
  (count: (frame: Frame) => number): Reader =>
  (r, _, frame) => {
    const bits = count(frame)
    return r.remainingBits < bits ? undefined : formatBits(r.readBits(bits), bits)
  }

/** Characters around the digits of a number of variable length. */
const VAR_TEXT = 43

/** `VarUInteger n`, its length in `lengthBits` bits. */
export const varUintReader =
  (lengthBits: number): Reader =>
  (r, session) => {
    if (r.remainingBits < lengthBits) return undefined
    const length = r.readUint(lengthBits)
    if (r.remainingBits < 8 * length) return undefined
    const value = length <= 6 ? r.readUint(8 * length).toString() : r.readUintWide(8 * length).toString()
    session.takeText(VAR_TEXT + value.length)
    return { '@type': 'var_uint', len: length.toString(), value }
  }

/** `VarInteger n`, its length in `lengthBits` bits. */
export const varIntReader =
  (lengthBits: number): Reader =>
  (r, session) => {
    if (r.remainingBits < lengthBits) return undefined
    const length = r.readUint(lengthBits)
    if (r.remainingBits < 8 * length) return undefined
    const value = length === 0 ? '0' : r.readIntWide(8 * length).toString()
    session.takeText(VAR_TEXT + value.length)
    return { '@type': 'var_int', len: length.toString(), value }
  }

const coinsAmount = varUintReader(4)

/** An amount of coins under the name its type has. */
export const coinsReader = (name: string): Reader => {
  const ownText = JSON.stringify({ '@type': name, amount: 0 }).length
  return (r, session, frame) => {
    const amount = coinsAmount(r, session, frame)
    if (amount === undefined) return undefined
    session.takeText(ownText)
    return { '@type': name, amount }
  }
}

/** Text in a chain of cells: all that is left here and in the first references below. It must be UTF-8. */
export const snakeTextReader: Reader = (r, session, frame) => {
  if (r.remainingRefs > 0) return readLongText(r, session, frame)
  if (r.remainingBits % 8 !== 0) return undefined
  return showUtf8(r.readBytes(r.remainingBits >> 3), session)
}

const readLongText: Reader = (r, session) => {
  const budget = new ContentBudget(DEFAULT_SNAKE_LIMITS)
  try {
    const bytes = readSnakeWithin(r, budget)
    // A chain of empty cells is long work for a short text.
    return session.takeSteps(budget.cells) ? showUtf8(bytes, session) : undefined
  } catch (error) {
    session.takeSteps(budget.cells)
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const showUtf8 = (bytes: Uint8Array, session: ReadSession): DecodedValue | undefined => {
  const text = findUtf8(bytes)
  return text === undefined ? undefined : session.showText(text)
}

/** Upper-case hex. An incomplete last digit is filled up with a one and zeros, and `_` says so. */
export const formatBits = (bytes: Uint8Array, bits: number): string => {
  if (bits % 4 === 0) return upperHex(bytes).slice(0, bits >> 2)
  const marked = bytes.slice()
  marked[bits >> 3]! |= 0x80 >> (bits & 7)
  return `${upperHex(marked).slice(0, (bits + 3) >> 2)}_`
}
