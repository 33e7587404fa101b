import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSharedFile, SharedSeqnos } from '../../src/cli/serve/workers/SharedSeqnos.ts'
import { decodeLiteAnswer, splitWaitPrefix } from '../../src/codec/tl/liteQuery.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { type SharedHeads, TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listenLite, type TestLiteServer } from '../support/listenLite.ts'
import { stillContext } from '../support/listenStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const { signal } = new AbortController()

type Manner = {
  /** Answers at once what it was told to wait for, as some proxies do. */
  ignoresWait?: boolean
  /** The newest block that it has; more than the chain has is a lie. */
  last?: number | undefined
  isArchival?: boolean
}

describe('TrustedChain', () => {
  let chain: Awaited<ReturnType<typeof createOwnChain>>
  const closers: (() => unknown)[] = []

  before(async () => {
    chain = await createOwnChain()
    for (let k = 0; k < 3; k++) await chain.make()
  })
  after(async () => {
    for (const close of closers.reverse()) await close()
    await chain.close()
  })

  const newest = (): number => chain.store.head!.id.seqno

  const makeBlock = async (): Promise<number> => {
    await chain.make()
    return newest()
  }

  /** A server of the chain; what it does not have yet it refuses or, told to wait, has after a moment. */
  const serve = async (manner: Manner = {}): Promise<TestLiteServer & { manner: Manner; asked: string[] }> => {
    const liteserver = new Liteserver(stillContext(chain.store), { logger })
    const asked: string[] = []
    const listening = await listenLite(async (data) => {
      const { wait, rest } = splitWaitPrefix(data)
      const { call } = decodeLiteQuery(rest)
      asked.push(call.kind)
      const { last = newest(), ignoresWait, isArchival = true } = manner
      const refuse = () => encodeTlObject({ kind: 'liteServer.error', code: 651, message: 'block is not in db' })
      if (call.kind === 'liteServer.lookupBlock' && !isArchival) return refuse()
      if (wait !== undefined && last < wait.seqno && last < newest()) {
        await until(() => (manner.last ?? newest()) >= wait.seqno)
      } else if ('id' in call && call.id.workchain === -1 && call.id.seqno > last) return refuse()
      const answer = await liteserver.answer(ignoresWait === true ? rest : data)
      return call.kind.startsWith('liteServer.getMasterchainInfo') && manner.last !== undefined
        ? rename(call.kind as 'liteServer.getMasterchainInfo', answer, manner.last)
        : answer
    })
    closers.push(() => listening.close())
    return { ...listening, manner, asked }
  }

  const rename = (
    kind: 'liteServer.getMasterchainInfo' | 'liteServer.getMasterchainInfoExt',
    answer: Uint8Array,
    seqno: number,
  ) => {
    const decoded = decodeLiteAnswer(kind, answer)
    if (!decoded.ok) return answer
    const last = chain.store.findMaster(seqno)?.id ?? { ...decoded.result.last, seqno }
    return encodeTlObject({
      ...decoded.result,
      kind: `liteServer.masterchainInfo${kind.endsWith('Ext') ? 'Ext' : ''}`,
      last,
    } as never)
  }

  const open = async (
    servers: readonly TestLiteServer[],
    { healthMs = 60_000, shared }: { healthMs?: number; shared?: SharedHeads } = {},
  ) => {
    const pool = new NodePool(servers, { logger, healthMs, asideMs: 60_000 })
    await pool.start()
    closers.push(() => pool.close())
    const trust = new TrustedChain(pool, {
      mode: 'full',
      anchor: chain.store.zeroState,
      logger,
      freshMs: 60_000,
      shared,
    })
    const node = new ProvenNode(pool, trust)
    return { pool, trust, node, live: createLiveChain(node) }
  }

  it('has each block soon after the server, though nobody asks', async () => {
    const { trust } = await open([await serve()])
    await trust.getHead()
    for (let k = 0; k < 5; k++) {
      const seqno = await makeBlock()
      await until(() => trust.findFreshHead()?.seqno === seqno)
    }
  })

  it('gives nobody the block before, once a server has told of the next', async () => {
    const { trust } = await open([await serve()])
    await trust.getHead()
    const seqno = await makeBlock()
    trust.expectNewer(seqno)
    assert.equal(trust.findFreshHead(), undefined)
    const heads = await Promise.all([trust.getHead(), trust.getHead(), trust.getHead()])
    assert.deepEqual(
      heads.map((head) => head.seqno),
      [seqno, seqno, seqno],
    )
  })

  it('asks again for a block that somebody knows of, where no server tells of its blocks', async () => {
    const server = await serve({ ignoresWait: true })
    const { trust, node, live } = await open([server])
    const before = await trust.getHead()
    const seqno = await makeBlock()
    assert.equal((await trust.getHead()).seqno, before.seqno)
    assert.equal((await node.getMasterchainBlockId(seqno)).seqno, seqno)
    const next = await makeBlock()
    const header = await live.withNode({ signal }, (session) =>
      session.lookupBlock({ workchain: -1, shard: before.shard }, { seqno: next }),
    )
    assert.equal(header.id.seqno, next)
  })

  it('reads a block on a server that has it a moment later', async () => {
    const late = await serve({ last: newest() })
    const { trust, live } = await open([await serve({ isArchival: false }), late])
    await trust.getHead()
    const seqno = await makeBlock()
    await until(() => trust.findFreshHead()?.seqno === seqno)
    const reading = live.withNode({ archival: true, signal }, async (session) => {
      const head = await session.getHead()
      return { index: session.index, head, shards: await session.getShards(head) }
    })
    setTimeout(() => (late.manner.last = undefined), 50)
    const { index, head, shards } = await reading
    assert.deepEqual([index, head.seqno, shards.length > 0], [1, seqno, true])
  })

  it('goes on with what is proven when a server names a block that it cannot prove', async () => {
    const liar = await serve()
    const { trust, pool } = await open([liar, await serve()], { healthMs: 30 })
    const { seqno } = await trust.getHead()
    liar.manner.last = seqno + 1000
    liar.asked.length = 0
    await until(() => liar.asked.filter((kind) => kind === 'liteServer.getBlockProof').length > 2)
    const start = performance.now()
    for (let k = 0; k < 5; k++) assert.equal((await trust.getHead()).seqno, seqno)
    assert.ok(performance.now() - start < 3000)
    // Nor does it keep the pool from believing the others.
    assert.equal(pool.status[1]?.condition, 'alive')
    const next = await makeBlock()
    await until(() => trust.findFreshHead()?.seqno === next)
  })

  it('never names an older block than another process has', async () => {
    const file = createSharedFile()
    closers.push(() => file.close())
    const heads = [0, 1].map((slot) => new SharedSeqnos(file.fd, { slot, workers: 2 }).headsOf(1))
    const first = await open([await serve()], { shared: heads[0]! })
    // It does not follow, so that it knows of nothing but what the other has named.
    const second = await open([await serve({ ignoresWait: true })], { shared: heads[1]! })
    await Promise.all([first.trust.getHead(), second.trust.getHead()])
    for (let k = 0; k < 5; k++) {
      const seqno = await makeBlock()
      await until(() => first.trust.findFreshHead()?.seqno === seqno)
      assert.equal(second.trust.findFreshHead(), undefined)
      assert.equal((await second.trust.getHead()).seqno, seqno)
      assert.equal(second.trust.findFreshHead()?.seqno, seqno)
      assert.equal(await first.live.getConsensusSeqno(signal), seqno)
      // Its own servers have named no such block.
      assert.equal(await second.live.getConsensusSeqno(signal), seqno)
    }
  })
})

const until = async (condition: () => boolean): Promise<void> => {
  const end = performance.now() + 20_000
  while (!condition()) {
    assert.ok(performance.now() < end, 'it did not come to that in time')
    await new Promise((done) => setTimeout(done, 2))
  }
}
