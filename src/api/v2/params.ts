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

/** An address together with how it was written, which some answers repeat. */
export type GivenAddress = Address & {
  /** What a friendly form said besides; `undefined` for a raw one. */
  readonly flags: { readonly bounceable: boolean; readonly testOnly: boolean } | undefined
}

const shownLength = 100

/** The value in full, unless somebody wants to see a megabyte again. */
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

/** As the interface repeats an address: raw in upper case, or friendly with the flags that it came with. */
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

/** The number of a block. Where it may be left out it stands for the newest masterchain block. */
export const SeqnoParam = param(
  Type.Integer({ minimum: 1, maximum: maxInt32, description: 'The number of a block.', examples: [37_926_913] }),
)

export const WorkchainParam = param(
  Type.Integer({ minimum: -maxInt32 - 1, maximum: maxInt32, description: '-1 is the masterchain.', examples: [-1, 0] }),
)

/** A shard, or the first 64 bits of an account. */
export const ShardParam = param(
  Type.String({
    description: 'A shard as a signed 64-bit decimal number.',
    examples: ['-9223372036854775808'],
  }),
  parseSignedShard,
)

const readInt64 = (name: string, text: string): bigint => {
  const value = /^-?[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value < minInt64 || value > maxInt64) throw unreadable(`failed to parse ${name}`)
  return value
}

const LtSchema = Type.String({ description: 'A logical time, decimal.', examples: ['66822814000007'] })

/** A logical time under the name that the parameter has. */
export const ltParam = (name: string) =>
  param(LtSchema, (text) => {
    const value = readInt64(name, text)
    if (value < 0n) throw outOfRange(`${name} should be non-negative`)
    return value
  })

/** The logical time that a list stops before. One below zero is as good as none. */
export const ToLtParam = param(LtSchema, (text) => readInt64('to_lt', text))

/** How many transactions of an account are wanted. */
export const LimitParam = param(Type.Integer({ minimum: 1, maximum: 1000 }))

/** How many transactions of a block are wanted. */
export const BlockCountParam = param(Type.Integer({ minimum: 1, maximum: 10_000 }))

/** A whole number that is not negative. */
export const CountParam = param(Type.Integer({ minimum: 0, maximum: maxInt32 }))

/** A hash of 32 bytes. A plus that a query turned into a blank is one again; nothing at all counts as left out. */
export const HashParam = shownAs(
  param(Type.String(), (text): Uint8Array | undefined =>
    text === '' ? undefined : parseHash(text.replaceAll(' ', '+')),
  ),
  Type.String({
    description: 'A hash of 32 bytes: 64 hexadecimal digits, or base64.',
    pattern: HASH_PATTERN,
    examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
  }),
)

/** An account, by an address or by its hash alone. */
export const AfterAccountParam = param(
  Type.String({
    description: 'An account: its address, or the 32 bytes of it. Not the hash of a transaction.',
    examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'],
  }),
  (text): Uint8Array | undefined => (isAddressLike(text) ? parseAddress(text).hash : HashParam.parse(text)),
)

const isAddressLike = (text: string): boolean => text.length === 48 || text.includes(':')

const truthWords = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const untruthWords = new Set(['n', 'no', 'f', 'false', 'off', '0'])

/** A switch in any of the spellings that are known for it. */
export const boolParam = (name: string, description: string) =>
  param(Type.Union([Type.Boolean(), Type.Integer(), Type.String()], { description }), (value): boolean | undefined => {
    if (typeof value !== 'string') return Boolean(value)
    if (value === '') return undefined
    const word = value.toLowerCase()
    if (!truthWords.has(word) && !untruthWords.has(word)) throw unreadable(`failed to parse ${name}`)
    return truthWords.has(word)
  })

/** Whether only nodes with the whole history will do. */
export const ArchivalParam = boolParam('archival', 'True asks nodes that keep the whole history only.')

/** Whether the proof is wanted, too. */
export const ProofParam = boolParam('proof', 'True adds the proof by which the answer was checked.')

/** Bytes in base64. `name` is that of the parameter. */
export const bytesParam = (name: string, description: string) =>
  param(Type.String({ description, examples: ['te6cckEBAQEADgAAGNUydtsAAAAAAAAABxylUgg='] }), (text): Uint8Array => {
    try {
      return fromPaddedBase64(text)
    } catch (error) {
      if (!(error instanceof ParseError)) throw error
      throw unreadable(`${name}: invalid base64 encoded bytes ${quote(text)}`)
    }
  })

/** Makes the error for what is wrong. */
type Refuse = (fault: string) => CodedError

/** The one cell that bytes from a caller stand for. */
export const decodeBag = (bytes: Uint8Array, refuse: Refuse): Cell => {
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw refuse(`cannot deserialize bag-of-cells: ${describeFault(bytes, error)}`)
  }
}

/** The bytes that a text from a caller stands for. */
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

/** The commonest faults in the words that clients know. */
const describeFault = (bytes: Uint8Array, error: CodedError): string => {
  if (bytes.length < magicLength) return `not enough bytes (${bytes.length} present, 10 required)`
  return magics.includes(toHex(bytes.subarray(0, magicLength))) ? error.message : 'invalid header, error 0'
}
