import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Cell as CoreCell, Dictionary, loadCurrencyCollection, loadTransaction, type Slice } from '@ton/core'
import { formatTable } from '../../test/support/formatTable.ts'
import { measure } from '../../test/support/measure.ts'
import { sha256Into } from '../primitives/hash.ts'
import { LANE_STRIDE, LANES, Sha256Lanes } from '../primitives/sha256Lanes.ts'
import { openAugDict } from './cell/AugDict.ts'
import type { Cell } from './cell/Cell.ts'
import { openCell } from './cell/CellReader.ts'
import { decodeSingleBoc, openIndexedBoc } from './cell/decodeBoc.ts'
import { readMessage } from './tlb/Message.ts'
import { openShardAccounts, type ShardAccounts } from './tlb/ShardAccounts.ts'
import { openShardState } from './tlb/ShardState.ts'
import { accountBlocksType, listOutMsgs, readTransaction } from './tlb/Transaction.ts'

const BLOCKS = join(import.meta.dirname, '../../../shared/fixtures/mainnet/blocks/mainnet')
const LARGEST = 5
const STATES = join(import.meta.dirname, '../../../shared/fixtures/mainnet/states')

type Count = { transactions: number; messages: number; sum: number }

const decodeOurs = (bytes: Uint8Array): Count => {
  const count: Count = { transactions: 0, messages: 0, sum: 0 }
  const root = decodeSingleBoc(bytes, { trusted: true })
  openAugDict(root.ref(3).ref(2), accountBlocksType).forEach((_account, block) => {
    block.transactions.forEach((_lt, cell) => {
      const transaction = readTransaction(openCell(cell))
      count.transactions++
      count.sum += cell.hash()[0]!
      const messages = listOutMsgs(transaction)
      if (transaction.inMsg !== undefined) messages.push(transaction.inMsg)
      for (const message of messages) {
        readMessage(openCell(message))
        count.messages++
        count.sum += message.hash()[0]!
      }
    })
  })
  return count
}

/** A message of two blocks, as most cells are. */
const CELL_BYTES = 100

/** Four digests by OpenSSL, one call each, and side by side. */
const measureLanes = (): number => {
  const lanes = new Sha256Lanes()
  const messages = Array.from({ length: LANES }, (_, lane) => new Uint8Array(CELL_BYTES).fill(lane))
  const digests = new Uint8Array(32 * LANES)
  const view = new DataView(digests.buffer)
  for (const [lane, message] of messages.entries()) lanes.bytes.set(message, lane * LANE_STRIDE)
  const hashTogether = (): void => {
    let blocks = 0
    for (let lane = 0; lane < LANES; lane++) blocks = lanes.end(lane, CELL_BYTES)
    lanes.hash(blocks)
    for (let lane = 0; lane < LANES; lane++) lanes.copyDigest(lane, blocks, view, 32 * lane)
  }
  const hashAlone = (): void => {
    for (let lane = 0; lane < LANES; lane++) sha256Into(messages[lane]!, digests, 32 * lane)
  }
  hashAlone()
  const expected = digests.slice()
  hashTogether()
  if (Buffer.compare(digests, expected) !== 0) throw new Error('The lanes have other digests than OpenSSL.')
  const often = (work: () => void) => (): void => {
    for (let k = 0; k < 1000; k++) work()
  }
  const { alone, together } = measure(
    { alone: often(hashAlone), together: often(hashTogether) },
    { warmupMs: 300, roundMs: 100 },
  )
  return alone.cpuMs / together.cpuMs
}

const unsupported = (): never => {
  throw new Error('Only reading is needed here.')
}

const decodeCore = (bytes: Buffer): Count => {
  const count: Count = { transactions: 0, messages: 0, sum: 0 }
  const root = CoreCell.fromBoc(bytes)[0]!
  const transactionValue = {
    serialize: unsupported,
    parse: (s: Slice) => {
      loadCurrencyCollection(s)
      return s.loadRef()
    },
  }
  const blockValue = {
    serialize: unsupported,
    parse: (s: Slice) => {
      loadCurrencyCollection(s)
      s.skip(4 + 256)
      return Dictionary.loadDirect(Dictionary.Keys.BigUint(64), transactionValue, s)
    },
  }
  const blocks = Dictionary.load(Dictionary.Keys.BigUint(256), blockValue, root.refs[3]!.refs[2]!.beginParse())
  for (const [, transactions] of blocks) {
    for (const [, cell] of transactions) {
      const transaction = loadTransaction(cell.beginParse())
      count.transactions++
      count.sum += transaction.hash()[0]!
      const messages = cell.refs[0]!.beginParse()
      const hashes = messages.loadBit() ? [messages.loadRef().hash()] : []
      for (const [, out] of messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()))
        hashes.push(out.hash())
      for (const hash of hashes) {
        count.messages++
        count.sum += hash[0]!
      }
    }
  }
  return count
}

const largestBlocks = (): Buffer[] =>
  readdirSync(BLOCKS)
    .filter((name) => name.endsWith('.boc'))
    .map((name) => join(BLOCKS, name))
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .slice(0, LARGEST)
    .map((path) => readFileSync(path))

export const run = (): Record<string, number | string> => {
  if (!existsSync(BLOCKS)) return { skipped: 'The recorded main network blocks are not beside this checkout.' }
  const blocks = largestBlocks()
  const ours = blocks.map(decodeOurs)
  const core = blocks.map(decodeCore)
  if (JSON.stringify(ours) !== JSON.stringify(core)) throw new Error('The two decoders do not agree on these blocks.')
  const decode = measure(
    { ours: () => blocks.map(decodeOurs), core: () => blocks.map(decodeCore) },
    { warmupMs: 1000, roundMs: 300 },
  )
  const hash = measure(
    {
      ours: () => blocks.map((bytes) => decodeSingleBoc(bytes, { trusted: true }).arena.hashAll()),
      core: () => blocks.map((bytes) => CoreCell.fromBoc(bytes)[0]!.hash()),
    },
    { warmupMs: 1000, roundMs: 300 },
  )
  const megabytes = blocks.reduce((sum, { length }) => sum + length, 0) / 1e6
  const transactions = ours.reduce((sum, count) => sum + count.transactions, 0)
  const row = (work: string, rival: string, cpuMs: number, ratio: number) => ({
    work,
    rival,
    'cpu ms': cpuMs,
    'MB per cpu-s': megabytes / (cpuMs / 1000),
    'transactions per cpu-s': Math.round(transactions / (cpuMs / 1000)),
    ratio,
  })
  const decodeRatio = decode.core.cpuMs / decode.ours.cpuMs
  const hashRatio = hash.core.cpuMs / hash.ours.cpuMs
  console.log(
    formatTable([
      row('transactions and messages', '@ton/core', decode.core.cpuMs, 1),
      row('transactions and messages', 'ours', decode.ours.cpuMs, decodeRatio),
      row('every cell hashed', '@ton/core', hash.core.cpuMs, 1),
      row('every cell hashed', 'ours', hash.ours.cpuMs, hashRatio),
    ]),
  )
  const path = measureAccountPath()
  return { decode_ratio: decodeRatio, full_hash_ratio: hashRatio, hash_lanes_ratio: measureLanes(), ...path }
}

/** One account out of a large state file: by its index, entering only the cells on the path, and by reading the file whole. */
const measureAccountPath = (): Record<string, number> => {
  const [file] = readdirSync(STATES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.boc'))
    .map((name) => join(STATES, name))
    .sort((a, b) => statSync(b).size - statSync(a).size)
  if (file === undefined) return {}
  const bytes = readFileSync(file)
  const accounts = readAccounts(decodeSingleBoc(bytes))
  const keys = accounts.entries().map(([key]) => key)
  let next = 0
  const findOne = (root: Cell): unknown => readAccounts(root).find(keys[next++ % keys.length]!)
  const timings = measure(
    {
      'by the index': () => findOne(openIndexedBoc(bytes)[0]!),
      'file read whole': () => findOne(decodeSingleBoc(bytes, { trusted: true })),
      '@ton/core': () => CoreCell.fromBoc(bytes)[0]!,
    },
    { warmupMs: 500, roundMs: 200 },
  )
  console.log(`\nOne of ${keys.length} accounts in a state of ${bytes.length} bytes`)
  console.log(formatTable(Object.entries(timings).map(([way, { cpuMs }]) => ({ way, 'cpu ms': cpuMs }))))
  return {
    account_path_ms: timings['by the index'].cpuMs,
    account_path_ratio: timings['@ton/core'].cpuMs / timings['by the index'].cpuMs,
  }
}

const readAccounts = (root: Cell): ShardAccounts => {
  const state = openShardState(root)
  if (state.kind !== 'unsplit') throw new Error('The state of one shard was expected.')
  return openShardAccounts(state.accounts)
}
