import { Type } from 'typebox'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import {
  type Address,
  formatFriendlyAddress,
  formatUpperRawAddress,
  parseAddress,
  parseFriendlyAddress,
} from '../../primitives/Address.ts'
import { fromPaddedBase64 } from '../../primitives/base64.ts'
import { CodedError, ParseError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { parseSignedShard } from '../../primitives/shard.ts'
import { ADDRESS_PATTERN, HASH_PATTERN, param, shownAs, whenMissing } from '../core/params.ts'
import { outOfRange, unreadable } from './errors.ts'

const maxInt32 = 0x7fff_ffff
const minInt64 = -(1n << 63n)
const maxInt64 = (1n << 63n) - 1n

/** An address with the form in which it was given, which some responses repeat. */
export type GivenAddress = Address & {
  /** Flags of the friendly form; `undefined` for a raw address. */
  readonly flags: { readonly bounceable: boolean; readonly testOnly: boolean } | undefined
}

const shownLength = 100

/** The value in quotes, shortened. */
export const quote = (text: string): string => `'${text.slice(0, shownLength)}'`

const readAddress = (text: string): GivenAddress => {
  try {
    if (text.includes(':')) return { ...parseAddress(text), flags: undefined }
    const { address, bounceable, testOnly } = parseFriendlyAddress(text)
    return { ...address, flags: { bounceable, testOnly } }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    throw unreadable(`Failed to parse address: ${quote(text)}`)
  }
}

/** Formats an address as it was given: raw in upper case, or friendly with its flags. */
export const formatGivenAddress = (given: GivenAddress): string =>
  given.flags === undefined ? formatUpperRawAddress(given) : formatFriendlyAddress(given, given.flags)

export const AddressParam = whenMissing(
  shownAs(
    param(Type.String(), readAddress),
    Type.String({
      description: 'An address: raw (workchain:hex) or user-friendly, with any flags.',
      pattern: ADDRESS_PATTERN,
      examples: [
        'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
        '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8',
      ],
    }),
  ),
  unreadable("Failed to parse address: ''"),
)

/** Block seqno. Where it is optional, the default is the newest masterchain block. */
export const SeqnoParam = param(
  Type.Integer({ minimum: 1, maximum: maxInt32, description: 'Block seqno.', examples: [37_926_913] }),
)

export const WorkchainParam = param(
  Type.Integer({
    minimum: -maxInt32 - 1,
    maximum: maxInt32,
    description: '-1: masterchain, 0: basechain.',
    examples: [-1, 0],
  }),
)

/** A shard id, or the first 64 bits of an account. */
export const ShardParam = param(
  Type.String({
    description: 'Shard id as a signed 64-bit decimal number.',
    examples: ['-9223372036854775808'],
  }),
  parseSignedShard,
)

const readInt64 = (name: string, text: string): bigint => {
  const value = /^-?[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value < minInt64 || value > maxInt64) throw unreadable(`failed to parse ${name}`)
  return value
}

const LtSchema = Type.String({ description: 'Logical time, decimal.', examples: ['66822814000007'] })

/** A logical time; `name` is the name of the parameter. */
export const ltParam = (name: string) =>
  param(LtSchema, (text) => {
    const value = readInt64(name, text)
    if (value < 0n) throw outOfRange(`${name} should be non-negative`)
    return value
  })

/** Lower bound of the logical time, exclusive. A negative value means no bound. */
export const ToLtParam = param(LtSchema, (text) => readInt64('to_lt', text))

/** Maximum number of transactions of an account. */
export const LimitParam = param(Type.Integer({ minimum: 1, maximum: 1000 }))

/** Maximum number of transactions of a block. */
export const BlockCountParam = param(Type.Integer({ minimum: 1, maximum: 10_000 }))

/** A non-negative integer. */
export const CountParam = param(Type.Integer({ minimum: 0, maximum: maxInt32 }))

/** A 32-byte hash. A blank is read as a plus that the query decoding replaced; an empty text means absent. */
export const HashParam = shownAs(
  param(Type.String(), (text): Uint8Array | undefined =>
    text === '' ? undefined : parseHash(text.replaceAll(' ', '+')),
  ),
  Type.String({
    description: '32-byte hash: 64 hex digits, or base64.',
    pattern: HASH_PATTERN,
    examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
  }),
)

/** An account, by its address or by the hash part alone. */
export const AfterAccountParam = param(
  Type.String({
    description: 'Account: an address, or its 32-byte hash part. Not the hash of a transaction.',
    examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'],
  }),
  (text): Uint8Array | undefined => (isAddressLike(text) ? parseAddress(text).hash : HashParam.parse(text)),
)

const isAddressLike = (text: string): boolean => text.length === 48 || text.includes(':')

const truthWords = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const untruthWords = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** A boolean in any of the usual spellings. */
export const boolParam = (name: string, description: string) =>
  param(Type.Union([Type.Boolean(), Type.Integer(), Type.String()], { description }), (value): boolean | undefined => {
    if (typeof value !== 'string') return Boolean(value)
    if (value === '') return undefined
    const word = value.toLowerCase()
    if (!truthWords.has(word) && !untruthWords.has(word)) throw unreadable(`failed to parse ${name}`)
    return truthWords.has(word)
  })

/** Whether to use archive nodes only. */
export const ArchivalParam = boolParam('archival', 'Use archive nodes only.')

/** Whether to include the proof. */
export const ProofParam = boolParam('proof', 'Add the proof of the result.')

/** Bytes in base64; `name` is the name of the parameter. */
export const bytesParam = (name: string, description: string) =>
  param(Type.String({ description, examples: ['te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='] }), (text): Uint8Array => {
    try {
      return fromPaddedBase64(text)
    } catch (error) {
      if (!(error instanceof ParseError)) throw error
      throw unreadable(`${name}: invalid base64 encoded bytes ${quote(text)}`)
    }
  })

/** Creates the error. */
type Refuse = (fault: string) => CodedError

/** Decodes a bag of cells with one root from a caller. */
export const decodeBag = (bytes: Uint8Array, refuse: Refuse): Cell => {
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse(`cannot deserialize bag-of-cells: ${describeFault(bytes, error)}`)
  }
}

/** Decodes base64 from a caller. */
export const decodeBase64 = (text: string, refuse: Refuse): Uint8Array => {
  try {
    return fromPaddedBase64(text)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse('invalid base64 encoded bytes')
  }
}

const magics = ['b5ee9c72', '68ff65f3', 'acc3a728']
const magicLength = 4

/** The most frequent faults, in the wording of the original service. */
const describeFault = (bytes: Uint8Array, error: CodedError): string => {
  if (bytes.length < magicLength) return `not enough bytes (${bytes.length} present, 10 required)`
  return magics.includes(toHex(bytes.subarray(0, magicLength))) ? error.message : 'invalid header, error 0'
}
