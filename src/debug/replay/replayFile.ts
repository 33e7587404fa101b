import type { PreviousBlocks } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../codec/cell/wholeCell.ts'
import { readShardAccount, writeShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { formatRawAddress, parseAddress } from '../../primitives/Address.ts'
import { type BlockIdExt, formatBlockIdExt, parseBlockIdExt } from '../../primitives/BlockId.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { ReplayFileError } from '../errors.ts'
import { globalVersionOf, type ReplayInputs, type ReplaySource } from './ReplayInputs.ts'
import type { Replay } from './replayTransaction.ts'

const FORMAT = 'chaincenter-replay'
const VERSION = 1

/** More than any replay takes: a configuration has some 200 KB, an account at most 2 MB. */
export const MAX_REPLAY_FILE_BYTES = 32 * 1024 * 1024
const MAX_TRANSACTIONS = 10_000
const MAX_LIBRARIES = 256

/** The inputs of a replay, from a file. */
export type LoadedReplay = { readonly inputs: ReplayInputs; readonly source: ReplaySource }

/** All inputs of a replay as one JSON text: it can be replayed without a network. */
export const formatReplayFile = (replay: Replay): string => {
  const { inputs, libraries, missingLibraries, previousBlocks, hasPreviousBlocks } = replay
  const { address, lt, block, previousBlock, master, config, before, transactions } = inputs
  const file = {
    format: FORMAT,
    version: VERSION,
    account: formatRawAddress(address),
    lt: String(lt),
    block: {
      id: formatBlockIdExt(block.id),
      start_lt: String(block.startLt),
      gen_utime: block.genUtime,
      rand_seed: toBase64(block.randomSeed),
    },
    previous_block: formatBlockIdExt(previousBlock),
    mc_block: formatBlockIdExt(master),
    global_version: globalVersionOf(config),
    shard_account: bagOf(writeWhole(writeShardAccount, before)),
    transactions: transactions.map(bagOf),
    libraries: [...libraries.values()].map(bagOf),
    missing_libraries: missingLibraries.map(toHex),
    previous_blocks: hasPreviousBlocks ? formatPreviousBlocks(previousBlocks) : null,
    config: bagOf(config),
  }
  return `${JSON.stringify(file, undefined, 1)}\n`
}

const bagOf = (cell: Cell): string => toBase64(encodeBoc([cell]))

const formatPreviousBlocks = (blocks: PreviousBlocks | undefined) =>
  blocks === undefined
    ? { known: false }
    : {
        known: true,
        last: blocks.last.map(formatBlockIdExt),
        key_block: formatBlockIdExt(blocks.keyBlock),
        last_hundreds: blocks.lastHundreds.map(formatBlockIdExt),
      }

/** Reads such a text. Anything else is refused with the member that is wrong. */
export const parseReplayFile = (text: string): LoadedReplay => {
  if (text.length > MAX_REPLAY_FILE_BYTES) {
    throw new ReplayFileError(`A replay file has at most ${MAX_REPLAY_FILE_BYTES} bytes, this one has ${text.length}.`)
  }
  const file = new Members(parseObject(text), '')
  if (file.text('format') !== FORMAT || file.number('version') !== VERSION) {
    throw new ReplayFileError(`Expected a file of the format ${FORMAT}, version ${VERSION}.`)
  }
  const block = file.object('block')
  const inputs: ReplayInputs = {
    address: file.parse('account', parseAddress),
    lt: file.parse('lt', parseLt),
    block: {
      id: block.parse('id', parseBlockIdExt),
      startLt: block.parse('start_lt', parseLt),
      genUtime: block.number('gen_utime'),
      randomSeed: block.parse('rand_seed', parseSeed),
    },
    previousBlock: file.parse('previous_block', parseBlockIdExt),
    master: file.parse('mc_block', parseBlockIdExt),
    config: file.parse('config', parseBag),
    before: file.parse('shard_account', (bag) => readWhole(parseBag(bag), readShardAccount, 'A ShardAccount')),
    transactions: file.list('transactions', MAX_TRANSACTIONS).map((bag) => file.check('transactions', bag, parseBag)),
  }
  checkTransactions(inputs, file)
  const libraries = new Map(
    file.list('libraries', MAX_LIBRARIES).map((bag) => {
      const library = file.check('libraries', bag, parseBag)
      return [toHex(library.hash()), library]
    }),
  )
  const blocks = file.has('previous_blocks') ? readPreviousBlocks(file.object('previous_blocks')) : undefined
  return {
    inputs,
    source: {
      findLibrary: (hash) => Promise.resolve(libraries.get(toHex(hash))),
      getPreviousBlocks: () => Promise.resolve(blocks),
    },
  }
}

const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ReplayFileError('A replay file is JSON, and this file is not.', { cause })
  }
}

const parseBag = (text: string): Cell => decodeSingleBoc(fromBase64(text))

const parseLt = (text: string): bigint => {
  if (!/^[0-9]{1,20}$/.test(text)) throw new ReplayFileError(`Expected a logical time, but got ${text.slice(0, 30)}.`)
  return BigInt(text)
}

const parseSeed = (text: string): Uint8Array => {
  const seed = fromBase64(text)
  if (seed.length !== 32) throw new ReplayFileError(`A seed has 32 bytes, this one has ${seed.length}.`)
  return seed
}

const checkTransactions = ({ address, lt, transactions }: ReplayInputs, file: Members): void => {
  let last = -1n
  for (const cell of transactions) {
    const own = file.check('transactions', cell, (each) => readWhole(each, readTransaction, 'A transaction'))
    if (own.lt <= last || !bytesEqual(own.accountAddr, address.hash)) {
      throw new ReplayFileError('Expected in transactions those of the account, by logical time.')
    }
    last = own.lt
  }
  if (last !== lt)
    throw new ReplayFileError(`Expected the transaction at logical time ${lt} as the last of transactions.`)
}

const readPreviousBlocks = (blocks: Members): PreviousBlocks | undefined => {
  if (blocks.value('known') !== true) return undefined
  const list = (name: string): BlockIdExt[] =>
    blocks.list(name, 16).map((id) => blocks.check(name, id, parseBlockIdExt))
  return {
    last: list('last'),
    keyBlock: blocks.parse('key_block', parseBlockIdExt),
    lastHundreds: list('last_hundreds'),
  }
}

/** The members of an object in the file. */
class Members {
  private readonly members: { readonly [name: string]: unknown }
  private readonly path: string

  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ReplayFileError(`Expected an object${path === '' ? '' : ` in ${path}`} of the replay file.`)
    }
    this.members = value as { readonly [name: string]: unknown }
    this.path = path
  }

  value(name: string): unknown {
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined
  }

  has(name: string): boolean {
    return (this.value(name) ?? null) !== null
  }

  object(name: string): Members {
    return new Members(this.value(name), this.path + name)
  }

  text(name: string): string {
    const value = this.value(name)
    if (typeof value === 'string') return value
    throw new ReplayFileError(`Expected text in ${this.path}${name} of the replay file.`)
  }

  number(name: string): number {
    const value = this.value(name)
    if (Number.isSafeInteger(value)) return value as number
    throw new ReplayFileError(`Expected an integer in ${this.path}${name} of the replay file.`)
  }

  list(name: string, most: number): readonly string[] {
    const value = this.value(name)
    if (Array.isArray(value) && value.length <= most && value.every((each) => typeof each === 'string')) return value
    throw new ReplayFileError(`Expected a list of at most ${most} texts in ${this.path}${name} of the replay file.`)
  }

  parse<T>(name: string, parse: (text: string) => T): T {
    return this.check(name, this.text(name), parse)
  }

  check<S, T>(name: string, value: S, parse: (value: S) => T): T {
    try {
      return parse(value)
    } catch (cause) {
      if (!(cause instanceof CodedError) || cause instanceof ReplayFileError) throw cause
      throw new ReplayFileError(`${this.path}${name} of the replay file is invalid: ${cause.message}`, { cause })
    }
  }
}
