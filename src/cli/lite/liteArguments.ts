import type { LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import type { TlDescription } from '../../codec/tl/parseSchema.ts'
import { TlError } from '../../codec/tl/TlError.ts'
import { encodeTlObject, type TlFieldDescription, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlObject, TlTypes } from '../../codec/tl/tlTypes.ts'
import { functionId } from '../../codec/tlb/VmValue.ts'
import { suggest } from '../../config/errors.ts'
import { parseAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, parseBlockId, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { parseShard, parseSignedShard, wholeShard } from '../../primitives/shard.ts'
import { UsageError } from '../errors.ts'

/** A function of liteservers: `name` as in the schema, `shortName` without the prefix that all have. */
export type LiteFunction = {
  readonly name: LiteFunctionName
  readonly shortName: string
  readonly fields: readonly TlFieldDescription[]
}

const PREFIX = 'liteServer.'

// What answers nothing of its own is a wrapper around a function.
const isCallable = ([name, { result }]: [string, TlDescription]): boolean =>
  name.startsWith(PREFIX) && result !== undefined

export const liteFunctions: readonly LiteFunction[] = Object.entries(tlSchema)
  .filter(isCallable)
  .map(([name, { fields }]) => ({ name: name as LiteFunctionName, shortName: name.slice(PREFIX.length), fields }))

/** A function by its name, with the prefix or without. */
export const getLiteFunction = (word: string): LiteFunction => {
  const found = liteFunctions.find(({ name, shortName }) => word === name || word === shortName)
  if (found !== undefined) return found
  const short = word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word
  const names = liteFunctions.map(({ shortName }) => shortName)
  const meant = suggest(short, names)
  throw new UsageError(
    `Unknown liteserver function ${JSON.stringify(word.slice(0, 80))}.`,
    meant === undefined ? 'Run "chaincenter lite" to see all of them.' : `Did you mean ${meant}?`,
  )
}

/** A flags word may be left out: bits of arguments that are there are added to it anyway. */
export const mayBeLeftOut = ({ name, type, isOptional }: TlFieldDescription): boolean =>
  isOptional === true || (type === '#' && name === 'mode')

/** How the function is called, on one line. */
export const formatCall = ({ shortName, fields }: LiteFunction): string =>
  [
    shortName,
    ...fields.map((field) => (mayBeLeftOut(field) ? `[${formatArgument(field)}]` : formatArgument(field))),
  ].join(' ')

const formatArgument = ({ name, type, isVector }: TlFieldDescription): string => {
  if (type === 'true') return name
  const form = forms[type] ?? '{…}'
  return `${name}=${isVector ? `${form},…` : form}`
}

const forms: Readonly<Partial<Record<TlFieldDescription['type'], string>>> = {
  int: 'number',
  '#': 'number',
  long: 'number',
  shard: 'shard',
  int256: 'hash',
  bytes: 'bytes',
  Bool: 'true|false',
  'tonNode.blockId': '(workchain,shard,seqno)',
  'tonNode.blockIdExt': 'block',
  'liteServer.accountId': 'address',
}

/** The bytes of a file that an argument names as `@path`. */
export type ReadBytes = (path: string) => Uint8Array

/** Stands for the newest block until a server has told which that is. It is known by being this very object. */
const LAST_BLOCK: BlockIdExt = Object.freeze({
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

/** A request whose arguments fit, but for the newest block, which a server has to name. */
export type LiteRequest = {
  readonly needsLast: boolean
  /** The bytes of the function, which are the request proper only with the block that it needs. */
  encode(last?: BlockIdExt): Uint8Array
}

/** Reads the arguments of a function, given as `name=value` words or as one JSON object. */
export const parseArguments = (called: LiteFunction, words: readonly string[], readBytes: ReadBytes): LiteRequest => {
  const refuse = (what: string): never => {
    throw new UsageError(what, `Usage: chaincenter lite ${formatCall(called)}`)
  }
  const given = readWords(called, words, refuse)
  const missing = called.fields.find((field) => !mayBeLeftOut(field) && (given.get(field.name) ?? null) === null)
  if (missing !== undefined) refuse(`${called.shortName} needs the argument ${missing.name}.`)
  const args = parseTlFields(called.fields, given, (field, value) =>
    parsing(refuse, `The argument ${field.name} is wrong`, () => parseTlValue(field, value, readBytes)),
  )
  const encode = (last: BlockIdExt = LAST_BLOCK): Uint8Array => {
    const entries = Object.entries(args).map(([key, value]) => [key, value === LAST_BLOCK ? last : value])
    return encodeTlObject({ kind: called.name, ...Object.fromEntries(entries) } as TlObject)
  }
  // What only the encoder refuses (a flag without its argument) is to be known before anybody is asked.
  parsing(refuse, `${called.shortName} has wrong arguments`, () => encode())
  return { needsLast: Object.values(args).includes(LAST_BLOCK), encode }
}

type Refuse = (what: string) => never

const parsing = <T>(refuse: Refuse, what: string, parse: () => T): T => {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ParseError || error instanceof TlError)) throw error
    const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1)
    return refuse(`${what}: ${reason.replace(/\.?$/, '.')}`)
  }
}

const readWords = (called: LiteFunction, words: readonly string[], refuse: Refuse): ReadonlyMap<string, unknown> => {
  const [first] = words
  const entries =
    words.length === 1 && first?.startsWith('{')
      ? Object.entries(parseJson(first, refuse) as object)
      : words.map((word) => readWord(called, word, refuse))
  const given = new Map<string, unknown>()
  for (const [name, value] of entries) {
    if (!called.fields.some((field) => field.name === name)) refuseName(called, name, refuse)
    if (given.has(name)) refuse(`The argument ${name} was given more than once.`)
    given.set(name, value)
  }
  return given
}

const readWord = ({ fields }: LiteFunction, word: string, refuse: Refuse): [string, unknown] => {
  const at = word.indexOf('=')
  if (at < 0) {
    const isSwitch = fields.some(({ name, type }) => name === word && (type === 'true' || type === 'Bool'))
    return isSwitch ? [word, true] : refuse(`Expected an argument as name=value, but got ${quote(word)}.`)
  }
  const text = word.slice(at + 1)
  return [word.slice(0, at), /^[{[]/.test(text) ? parseJson(text, refuse) : text]
}

const refuseName = ({ shortName, fields }: LiteFunction, name: string, refuse: Refuse): void => {
  const meant = suggest(
    name,
    fields.map((field) => field.name),
  )
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  refuse(`${shortName} has no argument ${quote(name)}.${hint}`)
}

const parseJson = (text: string, refuse: Refuse): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuse(`An argument is not JSON: ${(error as Error).message}.`)
  }
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)
