import type { TypeExpression } from '../language/Definition.ts'
import { anyAddressReader, externalAddressReader, internalAddressReader } from './addresses.ts'
import { chunkedArrayReader, extendedActionsReader, outListReader, textReader, walletMessagesReader } from './chains.ts'
import { hashmapReader, optionalHashmapReader } from './hashmaps.ts'
import type { Frame, Reader } from './Reader.ts'
import {
  bitsReader,
  boolReader,
  coinsReader,
  countedBitsReader,
  intReader,
  snakeTextReader,
  uintReader,
  uintUpTo,
  varIntReader,
  varUintReader,
} from './scalars.ts'

/** What a type with arguments needs of the compiler. */
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
