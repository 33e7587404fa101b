import { type TlFieldDescription, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlTypes } from '../../codec/tl/tlTypes.ts'
import { functionId } from '../../codec/tlb/VmValue.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, parseBlockId, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { parseShard, parseSignedShard, wholeShard } from '../../primitives/shard.ts'
import { mayBeLeftOut } from './liteFunctions.ts'

/** The bytes of a file that an argument names as `@path`. */
export type ReadBytes = (path: string) => Uint8Array

/** Stands for the newest block until a server has told which that is. It is known by being this very object. */
export const LAST_BLOCK: BlockIdExt = Object.freeze({
  workchain: -1,
  shard: wholeShard,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
})

/** The value of a field, from a word of the command line or from JSON. Throws ParseError where it does not fit its type. */
export const parseTlValue = (field: TlFieldDescription, given: unknown, readBytes: ReadBytes): unknown => {
  if (!field.isVector) return parseOne(field, given, readBytes)
  const { isVector: _, ...item } = field
  const items = typeof given === 'string' ? splitList(given) : given
  if (!Array.isArray(items)) throw new ParseError('a list', show(given))
  return items.map((each) => parseOne(item, each, readBytes))
}

/** The fields of an object by their keys in our code, from those by their names in TL. Null counts as left out. */
export const parseTlFields = (
  fields: readonly TlFieldDescription[],
  given: ReadonlyMap<string, unknown>,
  parseField: (field: TlFieldDescription, value: unknown) => unknown,
): Readonly<Record<string, unknown>> => {
  const unknown = [...given.keys()].find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw new ParseError(`only ${fields.map(({ name }) => name).join(', ')}`, unknown)
  const values = fields.flatMap((field): [string, unknown][] => {
    const value = given.get(field.name)
    if (value !== undefined && value !== null) return [[field.key, parseField(field, value)]]
    if (field.isOptional) return []
    if (mayBeLeftOut(field)) return [[field.key, 0]]
    throw new ParseError(`a value for ${field.name}`, [...given.keys()].join(', '))
  })
  return Object.fromEntries(values)
}

const parseOne = (field: TlFieldDescription, given: unknown, readBytes: ReadBytes): unknown => {
  switch (field.type) {
    case 'int':
      return Number(parseInteger(given, -(2n ** 31n), 2n ** 31n - 1n))
    case '#':
      return Number(parseInteger(given, 0n, 2n ** 32n - 1n))
    case 'long':
      return parseLong(field.name, given)
    case 'shard':
      return parseShardText(toText(given))
    case 'int256':
      return parseInt256(field.name, toText(given))
    case 'bytes':
      return parseBytes(toText(given), readBytes)
    case 'string':
      return toText(given)
    case 'Bool':
    case 'true':
      return parseTruth(given)
    case 'tonNode.blockIdExt':
      if (given === 'last') return LAST_BLOCK
      return typeof given === 'string' ? parseBlockIdExt(given) : parseObject(field.type, given, readBytes)
    case 'tonNode.blockId':
      if (given === 'last') return LAST_BLOCK
      return typeof given === 'string' ? parseBlockId(given) : parseObject(field.type, given, readBytes)
    case 'liteServer.accountId':
      return typeof given === 'string' ? parseAccountId(given) : parseObject(field.type, given, readBytes)
    case 'double':
    case 'int128':
    case 'union':
      throw new ParseError('a function without arguments of this type', field.type)
    default:
      return parseObject(field.type, given, readBytes)
  }
}

const parseObject = (kind: keyof TlTypes, given: unknown, readBytes: ReadBytes): unknown => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ParseError(`${kind} as a JSON object`, show(given))
  }
  return parseTlFields(tlSchema[kind].fields, new Map(Object.entries(given)), (field, value) =>
    parseTlValue(field, value, readBytes),
  )
}

const parseInteger = (given: unknown, min: bigint, max: bigint): bigint => {
  const text = toText(given)
  const value = /^(-?[0-9]{1,20}|0x[0-9a-fA-F]{1,16})$/.test(text) ? BigInt(text) : undefined
  if (value !== undefined && value >= min && value <= max) return value
  throw new ParseError(`a whole number from ${min} to ${max}`, text)
}

const parseLong = (name: string, given: unknown): bigint => {
  // A get-method is known by its name.
  if (name === 'method_id' && typeof given === 'string' && /^[a-zA-Z_]/.test(given)) return BigInt(functionId(given))
  return parseInteger(given, -(2n ** 63n), 2n ** 63n - 1n)
}

// Sixteen digits are always hex: 8000000000000000 is the whole workchain.
const parseShardText = (text: string): bigint => {
  const hex = text.startsWith('0x') ? text.slice(2) : text
  try {
    return hex.length === 16 ? parseShard(hex) : parseSignedShard(text)
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause
    throw new ParseError('a shard as 16 hex digits or a signed decimal number', text, { cause })
  }
}

const accountFields: ReadonlySet<string> = new Set(['account', 'addr', 'after_addr'])

const parseInt256 = (name: string, text: string): Uint8Array => {
  const isAddress = text.length === 48 || text.includes(':')
  if (accountFields.has(name) && isAddress) return parseAddress(text).hash
  return parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])
}

const parseAccountId = (text: string): { readonly workchain: number; readonly id: Uint8Array } => {
  const { workchain, hash } = parseAddress(text)
  return { workchain, id: hash }
}

// What may be read as hex is hex. That leaves no doubt about a bag of cells: its base64 begins with "te6cc".
const parseBytes = (text: string, readBytes: ReadBytes): Uint8Array => {
  if (text.startsWith('@')) return readBytes(text.slice(1))
  const hex = text.startsWith('0x') ? text.slice(2) : text
  if (hex.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(hex)) return fromHex(hex)
  try {
    return fromBase64(text)
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause
    throw new ParseError('bytes in hex or base64, or @ and the path of a file', text, { cause })
  }
}

const parseTruth = (given: unknown): boolean => {
  if (given === true || given === 'true' || given === '1') return true
  if (given === false || given === 'false' || given === '0') return false
  throw new ParseError('true or false', show(given))
}

const splitList = (text: string): string[] => (text === '' ? [] : text.split(',').map((part) => part.trim()))

const toText = (given: unknown): string => {
  if (typeof given === 'string') return given
  if (typeof given !== 'number') throw new ParseError('a text or a number', show(given))
  if (!Number.isSafeInteger(given)) {
    throw new ParseError('a whole number, in quotes where it is over 2^53', String(given))
  }
  return String(given)
}

const show = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given))
