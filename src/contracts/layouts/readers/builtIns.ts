import type { CellReader } from '../../../codec/cell/CellReader.ts'
import {
  type DecodedObject,
  type DecodedValue,
  type Frame,
  NO_FRAME,
  type Reader,
  type ReadSession,
  scalarLength,
} from '../DecodedValue.ts'
import type { TypeExpression } from '../definitions.ts'
import {
  anyAddressReader,
  chunkedArrayReader,
  extendedActionsReader,
  externalAddressReader,
  internalAddressReader,
  outListReader,
  textReader,
  walletMessagesReader,
} from './addresses.ts'
import {
  bitsReader,
  boolReader,
  coinsReader,
  countedBitsReader,
  formatBits,
  intReader,
  snakeTextReader,
  uintReader,
  uintUpTo,
  varIntReader,
  varUintReader,
} from './scalars.ts'

/** `Hashmap n X`: a dictionary edge by edge, as it lies in the cells. */
const hashmapReader = (keyBits: number, value: Reader): Reader => {
  const forks = new Map<number, Reader>()
  const readerFor = (left: number): Reader => {
    let reader = forks.get(left)
    if (reader === undefined) {
      reader = (r, session) => readEdge(r, session, left)
      forks.set(left, reader)
    }
    return reader
  }
  const readEdge = (r: CellReader, session: ReadSession, left: number): DecodedValue | undefined => {
    const label = readLabel(r, session, left)
    if (label === undefined || !session.takeText(EDGE_TEXT + (label.length >> 2))) return undefined
    const node = readNode(r, session, left - label.length)
    return node === undefined ? undefined : { '@type': 'hashmap_edge', label: label.shown, node }
  }
  const readNode = (r: CellReader, session: ReadSession, left: number): DecodedObject | undefined => {
    if (left === 0) {
      const leaf = value(r, session, NO_FRAME)
      if (leaf === undefined) return undefined
      session.takeText(scalarLength(leaf))
      return { '@type': 'hashmap_node_leaf', value: leaf }
    }
    const branch = readerFor(left - 1)
    const zero = session.readRef(r, branch, NO_FRAME)
    if (zero === undefined) return undefined
    const one = session.readRef(r, branch, NO_FRAME)
    return one === undefined ? undefined : { '@type': 'hashmap_node_fork', left: zero, right: one }
  }
  return readerFor(keyBits)
}

/** `HashmapE n X`: the same behind a bit and in a reference, or nothing. */
const optionalHashmapReader = (keyBits: number, value: Reader): Reader => {
  const edge = hashmapReader(keyBits, value)
  return (r, session) => {
    if (r.remainingBits < 1) return undefined
    if (!r.readBit()) return { '@type': 'hashmap_empty' }
    const root = session.readRef(r, edge, NO_FRAME)
    return root === undefined ? undefined : { '@type': 'hashmap_root', root }
  }
}

/** Characters of an edge, its label without the bits, and its node without what is in that. */
const EDGE_TEXT = 170

type Label = { readonly length: number; readonly shown: DecodedObject }

const readLabel = (r: CellReader, session: ReadSession, max: number): Label | undefined => {
  if (r.remainingBits < 2) return undefined
  if (!r.readBit()) return readShortLabel(r, session, max)
  const isSame = r.readBit()
  const size = 32 - Math.clz32(max)
  if (r.remainingBits < size + (isSame ? 1 : 0)) return undefined
  if (isSame) {
    const bit = r.readBit()
    const length = r.readUint(size)
    if (length > max) return undefined
    return { length, shown: { '@type': 'hashmap_label_same', v: bit, n: length.toString() } }
  }
  const length = r.readUint(size)
  if (length > max || r.remainingBits < length) return undefined
  const s = formatBits(r.readBits(length), length)
  return { length, shown: { '@type': 'hashmap_label_long', n: length.toString(), s } }
}

/** Characters that one step of a unary number takes in the answer. */
const UNARY_TEXT = 28

const readShortLabel = (r: CellReader, session: ReadSession, max: number): Label | undefined => {
  let length = 0
  let len: DecodedObject = { '@type': 'unary_zero' }
  for (;;) {
    if (r.remainingBits < 1) return undefined
    if (!r.readBit()) break
    if (++length > max || !session.takeText(UNARY_TEXT)) return undefined
    len = { '@type': 'unary_succ', x: len }
  }
  if (r.remainingBits < length) return undefined
  const s = formatBits(r.readBits(length), length)
  return { length, shown: { '@type': 'hashmap_label_short', len, s } }
}

/** Services of the compiler for types with arguments. */
export type Arguments = {
  compile(argument: TypeExpression): Reader
  compileType(name: string): Reader
  number(argument: TypeExpression | undefined): number | ((frame: Frame) => number)
  fail(problem: string): never
}

const plain: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['Bool', boolReader],
  ['Coins', coinsReader('nanocoins')],
  ['Grams', coinsReader('nanograms')],
  ['MsgAddress', anyAddressReader],
  ['MsgAddressInt', internalAddressReader],
  ['MsgAddressExt', externalAddressReader],
  ['SnakeString', snakeTextReader],
  ['Text', textReader],
  ['Cell', (r, session) => session.readUntypedRest(r)],
  ['Any', (r, session) => session.readUntypedRest(r)],
  // Nothing can be read as this: it keeps the name of an opcode whose bodies other layouts read.
  ['Never', () => undefined],
])

const named = (name: string, ...given: TypeExpression[]): TypeExpression => ({ kind: 'named', name, arguments: given })

const cellRef: TypeExpression = { kind: 'ref', to: named('Cell') }

/** Short names for what nearly every message has. */
const aliases: ReadonlyMap<string, TypeExpression> = new Map([
  ['MaybeCell', named('Maybe', cellRef)],
  ['EitherCell', named('Either', named('Cell'), cellRef)],
  ['VarUint16', named('VarUInteger', { kind: 'number', value: { field: undefined, factor: 16 } })],
])

const FIXED = /^(uint|int|bits)([1-9]\d{0,3})$/

/** The reader of a type that the language itself has, or `undefined` where it has none of this name. */
export const findBuiltIn = (name: string, given: readonly TypeExpression[], context: Arguments): Reader | undefined => {
  const reader = plain.get(name)
  if (reader !== undefined) {
    if (given.length > 0) context.fail(`"${name}" takes no arguments.`)
    return reader
  }
  const alias = given.length === 0 ? aliases.get(name) : undefined
  if (alias !== undefined) return context.compile(alias)
  const fixed = FIXED.exec(name)
  if (fixed !== null && given.length === 0) return fixedReader(fixed[1]!, Number(fixed[2]), context)
  return findWithArguments(name, given, context)
}

const fixedReader = (kind: string, bits: number, context: Arguments): Reader => {
  const max = kind === 'bits' ? 1023 : 256
  if (bits > max) context.fail(`"${kind}${bits}" is wider than ${max} bits.`)
  // An unsigned number of one bit is shown as a truth value; clients know `uint1` so, and `int1` as 0 and -1.
  if (kind === 'uint' && bits === 1) return boolReader
  return kind === 'uint' ? uintReader(bits) : kind === 'int' ? intReader(bits) : bitsReader(bits)
}

const findWithArguments = (name: string, given: readonly TypeExpression[], context: Arguments): Reader | undefined => {
  const constant = (at: number, max: number): number => {
    const value = context.number(given[at])
    if (typeof value !== 'number' || value < 1 || value > max) {
      return context.fail(`"${name}" takes a number from 1 to ${max}.`)
    }
    return value
  }
  const takes = (count: number): void => {
    if (given.length !== count) context.fail(`"${name}" takes ${count} arguments, ${given.length} are given.`)
  }
  switch (name) {
    case '##':
      return uintReader(constant(0, 256))
    case '#<=':
      return uintUpTo(constant(0, 0xffffff))
    case '#<':
      return uintUpTo(constant(0, 0xffffff) - 1)
    case 'bits': {
      takes(1)
      const count = context.number(given[0])
      return typeof count === 'number' ? fixedReader('bits', count, context) : countedBitsReader(count)
    }
    case 'VarUInteger':
      takes(1)
      return varUintReader(32 - Math.clz32(constant(0, 32) - 1))
    case 'VarInteger':
      takes(1)
      return varIntReader(32 - Math.clz32(constant(0, 32) - 1))
    case 'Hashmap':
    case 'HashmapE': {
      takes(2)
      const value = context.compile(given[1]!)
      return name === 'Hashmap'
        ? hashmapReader(constant(0, 1023), value)
        : optionalHashmapReader(constant(0, 1023), value)
    }
    case 'ChunkedArray': {
      takes(2)
      const count = context.number(given[0])
      if (typeof count === 'number') return context.fail('"ChunkedArray" takes its length from an earlier field.')
      return chunkedArrayReader(count, context.compile(given[1]!))
    }
    case 'OutList':
      takes(0)
      return outListReader(context.compileType('OutAction'))
    case 'W5ExtendedActionList':
      takes(0)
      return extendedActionsReader(context.compileType('W5ExtendedAction'))
    case 'WalletMessages':
      takes(0)
      return walletMessagesReader(context.compileType('ModeWithMessage'))
    default:
      return undefined
  }
}
