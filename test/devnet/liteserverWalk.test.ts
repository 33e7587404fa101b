import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { LiteSingleEngine, LiteClient as OtherClient } from 'ton-lite-client'
import { listShardTops } from '../../src/chain/shardBlocks.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openMasterBlockExtra } from '../../src/devnet/liteserver/blockAccess.ts'
import type { LiteserverListener } from '../../src/devnet/liteserver/listenLiteserver.ts'
import type { StoredBlock } from '../../src/devnet/store/blockRow.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { formatSignedShard, wholeShard } from '../../src/primitives/shard.ts'
import { haveFixtures } from '../support/fixtures.ts'
import { openGrowingChain } from '../support/growingChain.ts'
import { listenForTest } from '../support/listenStore.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'
import { runWorkload } from '../support/ownWorkload.ts'
import { WalkingNode } from '../support/WalkingNode.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const LAST = 400
const MASTER = { workchain: masterchain, shard: wholeShard }

/** Our own client, which believes nothing, over a server of ours. Trust begins at the anchor. */
const openNode = async (
  t: TestContext,
  server: LiteserverListener,
  store: ChainStore,
  anchor = store.zeroState,
): Promise<WalkingNode> => {
  const pool = new NodePool([server], { logger, zeroStateRootHash: store.zeroState.rootHash })
  await pool.start()
  t.after(() => pool.close())
  const trust = new TrustedChain(pool, { mode: 'full', anchor, logger, freshMs: 60_000 })
  return new WalkingNode(pool, trust)
}

const sameId = (actual: BlockIdExt, expected: BlockIdExt): void =>
  assert.equal(formatBlockIdExt(actual), formatBlockIdExt(expected))

/** All blocks of the store, shard blocks with the masterchain block that includes them. */
const listBlocks = (store: ChainStore, last: number): StoredBlock[] =>
  Array.from({ length: last }, (_, k) => k + 1).flatMap((seqno) => [
    ...store.index.listIncluded(seqno),
    store.findMaster(seqno)!,
  ])

describe('a chain that was recorded, asked over a socket', () => {
  it('is proven block by block by our client, from the zerostate on', async (t) => {
    const store = await loadLocalnetStore()
    const node = await openNode(t, await listenForTest(t, store), store)
    sameId(await node.getHead(), store.findMaster(LAST)!.id)
    assert.equal(node.trust.keyBlock.seqno, 103)
    const blocks = listBlocks(store, LAST)
    assert.equal(blocks.length, 1511)
    for (const { id, prev, endLt } of blocks) {
      const { bytes, root } = await node.getBlock(id)
      assert.deepEqual(bytes, store.findBytes(id))
      const header = await node.getBlockHeader(id)
      assert.deepEqual(header.prev.map(formatBlockIdExt), prev.map(formatBlockIdExt))
      assert.equal(header.info.endLt, endLt)
      if (id.workchain !== masterchain) {
        await node.proveShardBlock(id)
        continue
      }
      const { shards } = await node.getShards(id)
      assert.ok(shards.length > 0 && shards.length <= 2)
      for (const top of shards) {
        if (top.id.seqno > 0) sameId((await node.getShard(id, top.id)).shard!.id, top.id)
      }
      if (id.seqno % 40 !== 0) continue
      const state = await node.getState(id)
      assert.deepEqual(state.root.hash(), readMerkleUpdate(openBlock(root).stateUpdate).after.hash(0))
    }
    t.diagnostic(`${blocks.length} blocks with their headers, shards and ways into the masterchain`)
  })

  it('is proven where validators sign the blocks themselves: the beginning of the main network', async (t) => {
    if (!haveFixtures(t, 'mainnet/archives')) return
    const { store, growTo } = await openGrowingChain(t, 'mainnet')
    await growTo(99)
    const node = await openNode(t, await listenForTest(t, store), store)
    sameId(await node.getHead(), store.findMaster(99)!.id)
    const blocks = listBlocks(store, 99)
    assert.equal(blocks.length, 299)
    for (const { id } of blocks) {
      assert.deepEqual((await node.getBlock(id)).bytes, store.findBytes(id))
      if (id.workchain === masterchain) sameId(await node.getMasterchainBlockId(id.seqno), id)
      else await node.proveShardBlock(id)
    }
    assert.ok((await node.getConfig(undefined)).params.config.find(34) !== undefined)
  })

  it('gives the same block by its number, its logical time and its time', async (t) => {
    const store = await loadLocalnetStore()
    const node = await openNode(t, await listenForTest(t, store), store)
    let lookups = 0
    for (const block of listBlocks(store, LAST)) {
      const { id } = block
      if (id.seqno === 1 || (id.seqno + (id.workchain & 3)) % 4 !== 0) continue
      sameId((await node.lookupBlock(id, { seqno: id.seqno })).id, id)
      sameId((await node.lookupBlock(id, { lt: block.endLt })).id, id)
      const byTime = await node.lookupBlock(id, { utime: block.genUtime })
      assert.equal(byTime.info.genUtime, block.genUtime)
      assert.ok(byTime.id.seqno <= id.seqno)
      lookups += 3
    }
    t.diagnostic(`${lookups} lookups`)
    await assert.rejects(node.lookupBlock(MASTER, { seqno: LAST + 1 }), { code: 'block_not_found' })
  })

  it('gives configurations, statistics and older heads', async (t) => {
    const store = await loadLocalnetStore()
    const node = await openNode(t, await listenForTest(t, store), store)
    for (const seqno of [1, 65, 66, 67, 103, 104, 250, 399, LAST]) {
      const id = await node.getMasterchainBlockId(seqno)
      sameId(id, store.findMaster(seqno)!.id)
      const all = await node.getConfig(undefined, id)
      assert.equal(all.params.config.entries().length, 26)
      const some = await node.getConfig([8, 34, 99, -1], id)
      assert.deepEqual(some.params.config.find(34)?.hash(), all.params.config.find(34)?.hash())
      assert.equal(some.params.config.find(99), undefined)
      const { creators, isComplete } = await node.getValidatorStats(id, { limit: 10 })
      assert.equal(creators.length, 2)
      assert.equal(isComplete, true)
      const [, first] = creators
      const rest = await node.getValidatorStats(id, { limit: 1, after: first!.creator })
      assert.deepEqual([rest.creators.length, rest.isComplete], [0, true])
    }
  })

  it('answers the npm client ton-lite-client rightly', async (t) => {
    const store = await loadLocalnetStore()
    const { port, publicKey } = await listenForTest(t, store)
    const engine = new LiteSingleEngine({ host: `tcp://127.0.0.1:${port}`, publicKey: Buffer.from(publicKey) })
    await once(engine, 'ready')
    t.after(() => engine.close())
    const client = new OtherClient({ engine, batchSize: 1 })
    const info = await client.getMasterchainInfoExt()
    const head = store.findMaster(LAST)!
    assert.deepEqual(new Uint8Array(info.last.rootHash), head.id.rootHash)
    assert.deepEqual([info.last.seqno, info.lastUtime, info.version], [LAST, head.genUtime, 0x101])
    assert.equal(await client.getCurrentTime(), head.genUtime)
    for (const seqno of [1, 66, 118, LAST]) {
      const { id } = store.findMaster(seqno)!
      const asked = block(id)
      const looked = await client.lookupBlockByID({ seqno, shard: asked.shard, workchain: masterchain })
      assert.deepEqual(new Uint8Array(looked.id.fileHash), id.fileHash)
      const { shards } = await client.getAllShardsInfo(asked)
      const tops = listShardTops(openMasterBlockExtra(store.getRoot(id)).shardHashes)
      assert.deepEqual(
        Object.values(shards['0']!),
        tops.map((top) => top.seqno),
      )
      assert.ok((await client.getBlockHeader(asked)).headerProof.length > 0)
    }
    // It reads more of a state than it asks for, and finds it only where a part of the configuration has the same content.
    const { config } = await client.getConfig(block(head.id))
    assert.ok(config !== undefined)
  })
})

describe('a chain of our own making, asked over a socket', () => {
  for (const minSplit of [0, 2]) {
    it(`is proven block by block by our client with ${2 ** minSplit} shards, from the zerostate and from a key block on`, async (t) => {
      const chain = await createOwnChain({ minSplit, faucets: 6 })
      t.after(() => chain.close())
      await runWorkload(chain, { transactions: 250, seed: 11 + minSplit })
      const { store } = chain
      const head = store.head!.id
      const server = await listenForTest(t, store)
      for (const anchor of [store.zeroState, store.findMaster(store.keyBlockSeqnos[0]!)!.id]) {
        const node = await openNode(t, server, store, anchor)
        sameId(await node.getHead(), head)
        assert.equal(node.trust.keyBlock.seqno, store.keyBlockSeqnos.at(-1))
        const blocks = listBlocks(store, head.seqno)
        for (const { id, prev, endLt, genUtime } of blocks) {
          assert.deepEqual((await node.getBlock(id)).bytes, store.findBytes(id))
          const header = await node.getBlockHeader(id)
          assert.deepEqual(header.prev.map(formatBlockIdExt), prev.map(formatBlockIdExt))
          if (id.seqno > 1) {
            sameId((await node.lookupBlock(id, { seqno: id.seqno })).id, id)
            sameId((await node.lookupBlock(id, { lt: endLt })).id, id)
            assert.equal((await node.lookupBlock(id, { utime: genUtime })).info.genUtime, genUtime)
          }
          await node.getQueueSize(id)
          const state = await node.getState(id)
          assert.deepEqual(state.root.hash(), store.findState(id)!.hash())
          if (id.workchain !== masterchain) {
            await node.proveShardBlock(id)
            continue
          }
          const { shards } = await node.getShards(id)
          for (const top of shards) if (top.id.seqno > 0) sameId((await node.getShard(id, top.id)).shard!.id, top.id)
          assert.ok((await node.getConfig(undefined, id)).params.config.find(34) !== undefined)
          assert.equal((await node.getValidatorStats(id, { limit: 10 })).creators.length, 2)
        }
        t.diagnostic(`${blocks.length} blocks`)
      }
    })
  }
})

const block = ({ rootHash, fileHash, ...place }: BlockIdExt) => ({
  ...place,
  shard: formatSignedShard(place.shard),
  rootHash: Buffer.from(rootHash),
  fileHash: Buffer.from(fileHash),
})
