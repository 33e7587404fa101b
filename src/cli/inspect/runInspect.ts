import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Address,
  formatFriendlyAddress,
  formatRawAddress,
  parseAddress,
  parseFriendlyAddress,
} from '../../primitives/Address.ts'
import { type BlockId, parseBlockId, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { fromBase64, toBase64, toBase64Url } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { parseHash } from '../../primitives/hash.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { formatShard, formatSignedShard, shardPrefixLength } from '../../primitives/shard.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { openDecoder } from '../serve/openV3.ts'
import { type Finding, formatFinding } from './describe.ts'
import { inspectBag } from './inspectBag.ts'

/** Decodes a file or the given value itself. Works offline. */
export const runInspect = (context: CommandContext, [word = '']: readonly string[]): void => {
  const found = inspectFile(context, word) ?? inspectText(word) ?? inspectBytes(context, readBag(word), nameOf(word))
  context.show({ text: formatFinding(found), value: found })
}

/** What a short text stands for: an address, a block id or a hash. `undefined` where it is none of them. */
const inspectText = (text: string): Finding | undefined =>
  attempt(() => inspectAddress(text)) ?? attempt(() => inspectBlockId(text)) ?? attempt(() => inspectHash(text))

const inspectAddress = (text: string): Finding => {
  const address = parseAddress(text)
  const given = text.includes(':') ? undefined : parseFriendlyAddress(text)
  return {
    kind: 'address',
    ...(given !== undefined && { given: describeFlags(given) }),
    workchain: address.workchain,
    raw: formatRawAddress(address),
    bounceable: friendly(address, true, false),
    non_bounceable: friendly(address, false, false),
    test_only_bounceable: friendly(address, true, true),
    test_only_non_bounceable: friendly(address, false, true),
    hash_hex: toHex(address.hash),
    hash_base64: toBase64(address.hash),
  }
}

const friendly = (address: Address, bounceable: boolean, testOnly: boolean): string =>
  formatFriendlyAddress(address, { bounceable, testOnly })

const describeFlags = ({
  bounceable,
  testOnly,
}: {
  readonly bounceable: boolean
  readonly testOnly: boolean
}): string => `${bounceable ? 'bounceable' : 'non-bounceable'}${testOnly ? ', test networks only' : ''}`

const inspectBlockId = (text: string): Finding => {
  const whole = attempt(() => parseBlockIdExt(text))
  const id: BlockId = whole ?? parseBlockId(text)
  return {
    kind: 'block id',
    workchain: id.workchain,
    shard: formatShard(id.shard),
    shard_signed: formatSignedShard(id.shard),
    shard_depth: shardPrefixLength(id.shard),
    seqno: id.seqno,
    ...(whole !== undefined && { root_hash: toHex(whole.rootHash), file_hash: toHex(whole.fileHash) }),
  }
}

const inspectHash = (text: string): Finding => {
  const hash = parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])
  return {
    kind: 'hash',
    hex: toHex(hash),
    base64: toBase64(hash),
    base64url: toBase64Url(hash),
    decimal: String(BigInt(`0x${toHex(hash)}`)),
    note: 'To look up what it is the hash of, use the command call.',
  }
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}

const inspectFile = (context: CommandContext, word: string) => {
  const bytes = readIfFile(resolve(context.workingDir, word), word)
  if (bytes === undefined) return undefined
  const name = `The file ${word}`
  if (isBag(bytes)) return inspectBytes(context, bytes, name)
  const text = new TextDecoder().decode(bytes.subarray(0, LONGEST_TEXT)).trim()
  return inspectText(text) ?? inspectBytes(context, readBag(text), name)
}

const MAX_FILE_BYTES = 64 * 1024 * 1024
/** Twice as long in hexadecimal digits. */
const LONGEST_TEXT = 2 * MAX_FILE_BYTES

const readIfFile = (path: string, word: string): Uint8Array | undefined => {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return undefined
    if (stat.size > MAX_FILE_BYTES)
      throw refuse(`The file ${word} has ${stat.size} bytes, more than ${MAX_FILE_BYTES}.`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code } = error as NodeJS.ErrnoException
    // A text that is no path, or a path to nothing, is something else.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'ERR_INVALID_ARG_VALUE') {
      return undefined
    }
    throw refuse(`The file ${word} cannot be read (${code}).`)
  }
}

const magics = ['b5ee9c72', '68ff65f3', 'acc3a728']

const isBag = (bytes: Uint8Array): boolean => magics.includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

/** A bag of cells in base64 or hexadecimal digits; blanks and line ends in it do not count. */
const readBag = (text: string): Uint8Array | undefined => {
  const packed = text.replace(/\s+/g, '')
  for (const read of [fromHex, fromBase64]) {
    try {
      const bytes = read(packed)
      if (isBag(bytes)) return bytes
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
    }
  }
  return undefined
}

const inspectBytes = (context: CommandContext, bytes: Uint8Array | undefined, name: string) => {
  if (bytes === undefined)
    throw refuse(`${name} is not a valid address, hash, block id, bag of cells, or file with one of them.`)
  try {
    return inspectBag(bytes, openDecoder(context))
  } catch (error) {
    if (!(error instanceof CodedError) || error instanceof UsageError) throw error
    throw refuse(`${name} is not a valid bag of cells: ${error.message}`)
  }
}

const refuse = (message: string): UsageError =>
  new UsageError(
    message,
    'Give an address, a hash, a block id, a bag of cells in hex or base64, or the path of a file.',
  )

const nameOf = (word: string): string =>
  `What was given, ${JSON.stringify(word.length > 40 ? `${word.slice(0, 39)}…` : word)},`
