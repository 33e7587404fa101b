import assert from 'node:assert/strict'
import { AugDict } from '../../../src/codec/cell/AugDict.ts'
import { Dict } from '../../../src/codec/cell/Dict.ts'
import { libPublishersType } from '../../../src/codec/tlb/StateInit.ts'
import { alterLeaf } from './alterParts.ts'
import type { BlockParts } from './alterStep.ts'
import { flip, keyBlock, type Mutation, master, more, publishing, totals } from './Mutation.ts'

const history = (
  name: string,
  patch: (old: NonNullable<BlockParts['history']>) => Partial<NonNullable<BlockParts['history']>>,
  complains: RegExp,
): Mutation => ({
  name,
  at: master,
  change: ({ history: old }) => ({ history: { ...old!, ...patch(old!) } }),
  complains,
})

const leaf = (name: string, patch: Parameters<typeof alterLeaf>[1], complains: RegExp): Mutation => ({
  name,
  at: master,
  change: ({ master: old, stateMaster }) => {
    const shardHashes = alterLeaf(old!.shardHashes, patch)
    return { master: { ...old!, shardHashes }, stateMaster: { ...stateMaster!, shardHashes } }
  },
  complains,
})

export const masterchainRules: readonly Mutation[] = [
  leaf('when a shard was registered', () => ({ regMcSeqno: 5 }), /regMcSeqno of shard/),
  leaf(
    'the next session of a shard',
    ({ descr }) => ({ nextCatchainSeqno: descr.nextCatchainSeqno + 1 }),
    /nextCatchainSeqno of shard/,
  ),
  leaf('the fees of a shard', ({ descr }) => ({ feesCollected: more(descr.feesCollected) }), /fees of shard/),
  leaf(
    'a plan for a shard',
    () => ({ splitMergeAt: { kind: 'split', utime: 5, interval: 5 } }),
    /splitMergeAt of shard/,
  ),
  leaf('a merge to come', () => ({ beforeMerge: true }), /beforeMerge of shard/),
  leaf('the time of a shard', ({ descr }) => ({ genUtime: descr.genUtime + 1 }), /genUtime of shard/),
  leaf('the block of a shard', ({ descr }) => ({ rootHash: flip(descr.rootHash) }), /one that is included now/),
  {
    name: 'shards that only the state has',
    at: master,
    change: ({ stateMaster }) => ({
      stateMaster: { ...stateMaster!, shardHashes: alterLeaf(stateMaster!.shardHashes, () => ({ regMcSeqno: 5 })) },
    }),
    complains: /shard_hashes of the state/,
  },
  {
    name: 'the fees of shards',
    at: master,
    change: ({ master: old }) => {
      const [key, entry] = old!.shardFees.entries()[0]!
      return { master: { ...old!, shardFees: old!.shardFees.set(key, { ...entry, fees: more(entry.fees) }) } }
    },
    complains: /shard_fees of/,
  },
  history('an old block', ({ prevBlocks }) => ({ prevBlocks: prevBlocks.delete(58) }), /prev_blocks, as they grew/),
  history(
    'the sum over old blocks',
    ({ prevBlocks: { type, root, rootExtra } }) => ({
      prevBlocks: new AugDict(type, root, { ...rootExtra, maxEndLt: 5n }),
    }),
    /sums of prev_blocks, the whole/,
  ),
  history(
    'the last key block',
    ({ lastKeyBlock }) => ({ lastKeyBlock: { ...lastKeyBlock!, seqno: 5 } }),
    /last_key_block: /,
  ),
  history('that it is a key block', () => ({ afterKeyBlock: true }), /after_key_block: /),
  history(
    'the next session',
    ({ validatorInfo }) => ({ validatorInfo: { ...validatorInfo, catchainSeqno: validatorInfo.catchainSeqno + 1 } }),
    /catchain_seqno of validator_info/,
  ),
  history(
    'the next validators',
    ({ validatorInfo }) => ({ validatorInfo: { ...validatorInfo, validatorListHashShort: 5 } }),
    /validator_list_hash_short of validator_info/,
  ),
  history('the makers of blocks', () => ({ blockCreateStats: undefined }), /block_create_stats, by capability 2/),
  history(
    'how many blocks were made',
    ({ blockCreateStats }) => {
      assert.ok(blockCreateStats?.kind === 'plain')
      const [key, stats] = blockCreateStats.creators.entries()[1]!
      const shards = { ...stats.shards, total: stats.shards.total + 1n }
      return { blockCreateStats: { kind: 'plain', creators: blockCreateStats.creators.set(key, { ...stats, shards }) } }
    },
    /shard blocks of [0-9a-f]{64} in block_create_stats/,
  ),
  {
    name: 'a key block without its configuration',
    at: keyBlock,
    change: ({ master: old, info: header }) => ({
      master: { ...old!, config: undefined },
      info: { ...header, keyBlock: false },
    }),
    complains: /key_block: true/,
  },
  {
    name: 'a configuration that is not that of the contract',
    at: master,
    change: ({ stateMaster }) => {
      const { config, configAddr } = stateMaster!.config
      return { stateMaster: { ...stateMaster!, config: { configAddr, config: config.delete(19).delete(11) } } }
    },
    complains: /configuration of the state, and of its contract/,
  },
  totals(
    'a public library that is missing',
    publishing,
    ({ totals: old }) => ({ libraries: new Dict(old.libraries.type) }),
    /libraries: /,
  ),
  totals(
    'who keeps a library public',
    publishing,
    ({ totals: old }) => {
      const [hash, { lib, publishers }] = old.libraries.entries()[0]!
      const rest = publishers.entries().slice(1)
      return { libraries: old.libraries.set(hash, { lib, publishers: Dict.of(libPublishersType, rest) }) }
    },
    /publishers of/,
  ),
]
