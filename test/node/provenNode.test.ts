import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { BlockNotFoundError, NodeRefusedError, ProofFailedError } from '../../src/chain/errors.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain, type TrustMode } from '../../src/node/TrustedChain.ts'
import { TrustStore } from '../../src/node/TrustStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { type BlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { ReplayServer, readDialogues, readRequests } from '../support/replayServer.ts'
import { WalkingNode } from '../support/WalkingNode.ts'
import { writeTree } from '../support/writeTree.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** A node over one replaying server; `asked` counts the questions by function. */
const openNode = async (t: TestContext, mode: TrustMode = 'full', store?: TrustStore) => {
  const dialogues = readDialogues()
  const { head, zeroState, questions } = readRequests(dialogues)
  const asked = new Map<string, number>()
  const counting = new Map(dialogues)
  counting.get = (key) => {
    const { kind } = decodeLiteQuery(fromHex(key)).call
    asked.set(kind, (asked.get(kind) ?? 0) + 1)
    return dialogues.get(key)
  }
  const server = new ReplayServer(counting, head, zeroState, 90)
  const pool = new NodePool([await server.listen()], { logger, healthMs: 50, asideMs: 50 })
  await pool.start()
  const trust = new TrustedChain(pool, { mode, anchor: zeroState, store, logger, freshMs: 20 })
  await trust.load()
  t.after(async () => {
    await pool.close()
    await server.close()
  })
  return { node: new WalkingNode(pool, trust), trust, server, pool, head, zeroState, questions, dialogues, asked }
}

describe('ProvenNode on a recorded network', () => {
  it('proves the head from the zerostate by its signatures', async (t) => {
    const { node, trust, head } = await openNode(t)
    assert.deepEqual(await node.getHead(), head)
    assert.equal(trust.keyBlock.seqno, 103)
  })

  it('gives every recorded account, found or absent, in both modes', async (t) => {
    for (const mode of ['full', 'merkle'] as const) {
      const { node, questions } = await openNode(t, mode)
      for (const { account, expected } of questions) {
        const state = await node.getAccountState(account)
        assert.equal(state.kind === 'found' ? toHex(state.account.hash()) : undefined, expected)
      }
      assert.ok(questions.length > 5)
    }
  })

  it('does not look up a block again that it has proven, until the chain begins anew', async (t) => {
    const { node, trust, asked } = await openNode(t)
    const place = { workchain: masterchain, shard: wholeShard }
    const { id, prev } = await node.lookupBlock(place, { seqno: 392 })
    assert.deepEqual(await node.getBlockId({ ...place, seqno: 392 }), id)
    assert.deepEqual(await node.getMasterchainBlockId(391), prev[0])
    assert.equal(asked.get('liteServer.lookupBlockWithProof'), 1)
    trust.restart()
    assert.deepEqual(await node.getBlockId({ ...place, seqno: 392 }), id)
    assert.equal(asked.get('liteServer.lookupBlockWithProof'), 2)
  })

  it('looks up two neighbours at once, and the one asked for alone where there is no other', async (t) => {
    const { node, asked } = await openNode(t)
    const place = { workchain: masterchain, shard: wholeShard }
    const [odd, even] = await Promise.all([391, 392].map((seqno) => node.getBlockId({ ...place, seqno })))
    assert.equal(asked.get('liteServer.lookupBlockWithProof'), 1)
    const { id, prev } = await node.lookupBlock(place, { seqno: 392 })
    assert.deepEqual([odd, even], [prev[0], id])
    await assert.rejects(node.getBlockId({ ...place, seqno: 387 }), ({ message }: Error) => message.includes('387'))
    assert.equal(asked.get('liteServer.lookupBlockWithProof'), 4)
  })

  it('asks once for what is asked at one time, and keeps what cannot change', async (t) => {
    const { node, questions, asked, head } = await openNode(t)
    await node.getHead()
    const [first] = questions
    assert.ok(first !== undefined)
    await Promise.all(Array.from({ length: 20 }, () => node.getAccountState(first.account, head)))
    assert.equal(asked.get('liteServer.getAccountState'), 1)
    for (let k = 0; k < 5; k++) {
      const { bytes } = await node.getBlock(head)
      assert.ok(bytes.length > 1000)
      assert.equal((await node.getShards(head)).shards.length, 2)
    }
    assert.equal(asked.get('liteServer.getBlock'), 1)
    assert.equal(asked.get('liteServer.getAllShardsInfo'), 1)
  })

  it('lets one who no longer waits go, without disturbing the others', async (t) => {
    const { node, questions, head } = await openNode(t)
    await node.getHead()
    const account = questions[0]!.account
    const gone = node.getAccountState(account, head, { signal: AbortSignal.abort(new Error('gone')) })
    const there = node.getAccountState(account, head)
    await assert.rejects(gone, /gone/)
    assert.equal((await there).kind, 'found')
  })

  it('believes no forged or false account, whatever the server tries', async (t) => {
    const { node, server, questions, head, pool } = await openNode(t)
    await node.getHead()
    const account = questions[0]!.account
    for (const fault of ['lying', 'forging'] as const) {
      await server.setFault(fault)
      await assert.rejects(node.getAccountState(account, head), ProofFailedError)
      assert.equal(pool.status[0]?.condition, 'aside')
    }
    await server.setFault(undefined)
    assert.equal((await node.getAccountState(account, head)).kind, 'found')
  })

  it('does not follow a server to a head that is not proven', async (t) => {
    const { zeroState, dialogues, head } = await openNode(t)
    const forged = { ...head, rootHash: new Uint8Array(32).fill(1) }
    const server = new ReplayServer(dialogues, forged, zeroState, 91)
    const pool = new NodePool([await server.listen()], { logger })
    await pool.start()
    const trust = new TrustedChain(pool, { mode: 'full', anchor: zeroState, logger })
    await assert.rejects(trust.getHead(), NodeRefusedError)
    await pool.close()
    await server.close()
  })

  it('starts the next time where it stopped, and does not go back', async (t) => {
    const dataDir = await writeTree(t, {})
    const first = await openNode(t)
    const store = new TrustStore(dataDir, first.zeroState, logger)
    const { node, asked } = await openNode(t, 'full', store)
    await node.getHead()
    assert.equal(asked.get('liteServer.getBlockProof'), 1)
    const second = await openNode(t, 'full', store)
    assert.equal(second.trust.keyBlock.seqno, 103)
    await second.server.setFault('lagging')
    assert.deepEqual(await second.node.getHead(), first.head)
    assert.equal(second.asked.get('liteServer.getBlockProof'), undefined)
  })

  it('watches heads: each once', async (t) => {
    const { node, head } = await openNode(t)
    const seen: number[] = []
    const signal = AbortSignal.timeout(200)
    for await (const { seqno } of node.watchHeads(signal)) seen.push(seqno)
    assert.deepEqual(seen, [head.seqno])
  })

  it('says that a block is not found in our own words', async (t) => {
    const { node } = await openNode(t)
    const place = { workchain: masterchain, shard: wholeShard }
    await assert.rejects(node.lookupBlock(place, { seqno: 12_345 }), BlockNotFoundError)
  })
})

describe('every question of ProvenNode that is on record', () => {
  for (const mode of ['full', 'merkle', 'off'] as const) {
    it(`is answered in mode ${mode}`, async (t) => {
      const { node, head, dialogues, questions } = await openNode(t, mode)
      const calls = [...dialogues.keys()].flatMap((request) => {
        try {
          return [decodeLiteQuery(fromHex(request)).call]
        } catch {
          return []
        }
      })
      const blockOf = (kind: string, workchain: number, seqno: number): BlockIdExt => {
        const call = calls.find(
          (each) => each.kind === kind && 'id' in each && each.id.workchain === workchain && each.id.seqno === seqno,
        )
        assert.ok(call !== undefined && 'id' in call && 'rootHash' in call.id)
        return call.id
      }
      const wallet = questions[0]!.account
      const state = await node.getAccountState(wallet, head)
      assert.ok(state.kind === 'found')
      assert.equal((await node.getAccountBalance(wallet, head)).kind, 'found')
      const history = await node.getTransactions(wallet, { lt: state.lastTransLt, hash: state.lastTransHash }, 16)
      assert.equal(history.transactions.length, 16)
      assert.equal((await node.getBlockHeader(head)).info.seqno, 395)
      const looked = await node.lookupBlock({ workchain: -1, shard: wholeShard }, { seqno: 392 })
      assert.equal(looked.id.seqno, 392)
      assert.equal((await node.getMasterchainBlockId(392)).seqno, 392)
      const busy = blockOf('liteServer.listBlockTransactions', 0, 92)
      assert.equal((await node.getBlockTransactions(busy, { count: 3 })).transactions.length, 3)
      assert.ok((await node.getConfig(undefined, head)).params.config.find(34) !== undefined)
      assert.equal((await node.getConfig([99], head)).params.config.find(99), undefined)
      const library = calls.find((each) => each.kind === 'liteServer.getLibraries')
      assert.ok(library?.kind === 'liteServer.getLibraries')
      assert.equal((await node.getLibraries(library.libraryList)).length, 1)
      const queued = blockOf('liteServer.getBlockOutMsgQueueSize', 0, 90)
      assert.equal(await node.getQueueSize(queued), 26)
      assert.equal((await node.getDispatchQueue(queued, { count: 10 })).accounts[0]?.size, 10)
      assert.equal((await node.getValidatorStats(head, { limit: 10 })).creators.length, 2)
      assert.equal((await node.getState(blockOf('liteServer.getState', -1, 0))).state.seqno, 0)
      assert.equal((await node.getState(blockOf('liteServer.getState', 0, 587))).state.seqno, 587)
      assert.equal((await node.getShard(head, { workchain: 0, shard: 0x1000000000000000n })).shard?.id.seqno, 587)
      await node.proveShardBlock(blockOf('liteServer.getShardBlockProof', 0, 587))
      const run = calls.find((each) => each.kind === 'liteServer.runSmcMethod' && each.mode === 7)
      assert.ok(run?.kind === 'liteServer.runSmcMethod')
      assert.equal((await node.runGetMethod(run, head)).unproven.exitCode, 0)
    })
  }
})
