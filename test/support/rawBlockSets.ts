import type { RawBlock, RawBlockSet } from '../../src/indexer/blockSets.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { parseShard } from '../../src/primitives/shard.ts'
import { readFixture, readFixtureJson } from './fixtures.ts'

/** What the indexes of recorded blocks have in common. */
export type RecordedBlock = {
  readonly file: string
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash?: string
}

export type LocalnetBlock = RecordedBlock & {
  readonly masterchain_seqno: number
  readonly tx_count: number
  readonly gen_utime: number
  readonly start_lt: string
  readonly end_lt: string
  readonly prev: readonly string[]
}

type LocalnetIndex = {
  readonly masterchain_shards: Readonly<Record<string, readonly string[]>>
  readonly blocks: readonly LocalnetBlock[]
}

export type MainnetBlock = RecordedBlock & {
  readonly network: string
  readonly computed: { readonly tx_count: number; readonly account_count: number }
  readonly transactions?: readonly (readonly [account: string, lt: string, hash: string])[]
  readonly transactions_digest?: string
}

export const readLocalnetIndex = (): LocalnetIndex => readFixtureJson('localnet/blocks/index.json')

export const readMainnetIndex = (): readonly MainnetBlock[] => readFixtureJson('mainnet/blocks/index.json')

const toId = (block: RecordedBlock): BlockIdExt => ({
  workchain: block.workchain,
  shard: parseShard(block.shard),
  seqno: block.seqno,
  rootHash: fromHex(block.root_hash),
  // Not known of blocks that came in another form than their own.
  fileHash: fromHex(block.file_hash ?? block.root_hash),
})

const toRaw = (folder: string, block: RecordedBlock): RawBlock => ({
  id: toId(block),
  bytes: readFixture(`${folder}/${block.file}`),
})

/** The recorded network, masterchain block by masterchain block. */
export const listLocalnetBlockSets = (): RawBlockSet[] => {
  const { blocks, masterchain_shards } = readLocalnetIndex()
  const ids = new Map(blocks.map((block) => [`${block.workchain}_${block.shard}_${block.seqno}`, toId(block)]))
  return blocks
    .filter(({ workchain }) => workchain === masterchain)
    .sort((a, b) => a.seqno - b.seqno)
    .map((master) => ({
      seqno: master.seqno,
      masterchain: toRaw('localnet/blocks', master),
      shards: blocks
        .filter((block) => block.workchain !== masterchain && block.masterchain_seqno === master.seqno)
        .sort((a, b) => a.seqno - b.seqno)
        .map((block) => toRaw('localnet/blocks', block)),
      // Before the first block of a shard there is its zero state, which is in no index.
      tops: masterchain_shards[master.seqno]!.flatMap((name) => ids.get(name) ?? []),
    }))
}

/**
 * Blocks of public networks, which were recorded one by one: shard blocks stand beside any masterchain block of their network.
 */
export const listMainnetBlockSets = (network: string): RawBlockSet[] => {
  const blocks = readMainnetIndex().filter((block) => block.network === network)
  const shards = blocks.filter(({ workchain }) => workchain !== masterchain)
  const masters = blocks.filter(({ workchain }) => workchain === masterchain)
  return masters.map((master, k) => ({
    seqno: master.seqno,
    masterchain: toRaw('mainnet/blocks', master),
    shards: shards.filter((_, n) => n % masters.length === k).map((block) => toRaw('mainnet/blocks', block)),
    tops: [],
  }))
}
