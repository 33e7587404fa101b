import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { NodeRefusedError, NodeUnavailableError, ProofFailedError } from '../../src/chain/errors.ts'
import type { LiveChain, LiveNode } from '../../src/chain/LiveChain.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { ProvenNode } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { masterchain } from '../../src/primitives/BlockId.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listenLite, type TestLiteServer } from '../support/listenLite.ts'
import { stillContext } from '../support/listenStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const master = { workchain: masterchain, shard: wholeShard }
const signal = new AbortController().signal

/** A server of the chain that can be told to misbehave, and that remembers what it was asked. */
type Server = TestLiteServer & {
  readonly asked: string[]
  /** Questions of these kinds are refused so. */
  refuses: { readonly kinds: readonly string[]; readonly code: number; readonly text: string } | undefined
  isArchival: boolean
}

class OddError extends CodedError {
  readonly code = 'odd'
}

describe('the chain for the live interface', () => {
  let chain: Awaited<ReturnType<typeof createOwnChain>>
  const closers: (() => Promise<void>)[] = []

  before(async () => {
    chain = await createOwnChain()
    for (let k = 0; k < 5; k++) await chain.make()
  })
  after(async () => {
    for (const close of closers.reverse()) await close()
    await chain.close()
  })

  const serve = async (isArchival: boolean): Promise<Server> => {
    const liteserver = new Liteserver(stillContext(chain.store), { logger })
    const state: Pick<Server, 'asked' | 'refuses' | 'isArchival'> = { asked: [], refuses: undefined, isArchival }
    const listening = await listenLite((data) => {
      const { kind } = decodeLiteQuery(data).call
      if (kind === 'liteServer.lookupBlock' && !state.isArchival) {
        return encodeTlObject({ kind: 'liteServer.error', code: 651, message: 'not in db' })
      }
      if (!['liteServer.getMasterchainInfoExt', 'liteServer.lookupBlock'].includes(kind)) state.asked.push(kind)
      if (state.refuses?.kinds.includes(kind) !== true) return liteserver.answer(data)
      const { code, text } = state.refuses
      return encodeTlObject({ kind: 'liteServer.error', code, message: text })
    })
    closers.push(() => listening.close())
    return Object.assign(state, listening)
  }

  const open = async (servers: readonly Server[]): Promise<{ live: LiveChain; node: ProvenNode }> => {
    const pool = new NodePool(servers, { logger, healthMs: 60_000 })
    closers.push(() => pool.close())
    await pool.start()
    const trust = new TrustedChain(pool, { mode: 'full', anchor: chain.store.zeroState, logger, freshMs: 60_000 })
    const node = new ProvenNode(pool, trust, { cacheBytes: 0 })
    // The head is everybody's, and need not be asked again.
    await node.getHead()
    for (const { asked } of servers) asked.length = 0
    return { live: createLiveChain(node), node }
  }

  const faucet = { workchain: 0, hash: new Uint8Array(32).fill(5) }
  const readMuch = async (node: LiveNode): Promise<number> => {
    const head = await node.getHead()
    await node.getAccountState(faucet, head)
    await node.getShards(head)
    const { id } = await node.lookupBlock(master, { seqno: 2 })
    await node.getBlockHeader(id)
    return node.index
  }

  it('asks one server for one piece of work', async () => {
    const servers = [await serve(false), await serve(false), await serve(true)]
    const { live } = await open(servers)
    const used = new Set<number>()
    for (let k = 0; k < 12; k++) {
      const index = await live.withNode({ signal }, readMuch)
      used.add(index)
      assert.equal(servers[index]?.asked.length, 4)
      for (const { asked } of servers) asked.length = 0
    }
    assert.ok(used.size > 1, 'the servers take turns')
  })

  it('does failed work again on an archival server, once', async () => {
    const refuses = { kinds: ['liteServer.getAccountState'], code: 651, text: "state already gc'd" }
    const servers = [await serve(false), await serve(false), await serve(false), await serve(true)]
    const { live } = await open(servers)
    for (const server of servers.slice(0, 3)) server.refuses = refuses
    for (let k = 0; k < 8; k++) assert.equal(await live.withNode({ signal }, readMuch), 3)
    servers[3]!.refuses = refuses
    for (const { asked } of servers) asked.length = 0
    const refusal = await live.withNode({ signal }, readMuch).catch((error: unknown) => error)
    assert.ok(refusal instanceof NodeRefusedError)
    assert.deepEqual([refusal.serverCode, refusal.serverText], [651, "state already gc'd"])
    const total = servers.reduce((sum, { asked }) => sum + asked.length, 0)
    assert.ok(total <= 2, `two servers were asked, not ${total}`)
  })

  it('asks archival servers only when told to, and says when there is none', async () => {
    const servers = [await serve(false), await serve(true)]
    const { live } = await open(servers)
    for (let k = 0; k < 6; k++) assert.equal(await live.withNode({ archival: true, signal }, readMuch), 1)
    const { live: without } = await open([await serve(false)])
    await assert.rejects(without.withNode({ archival: true, signal }, readMuch), (error: NodeUnavailableError) => {
      assert.ok(error instanceof NodeUnavailableError)
      return error.archivalOnly
    })
    assert.equal(await without.withNode({ archival: false, signal }, readMuch), 0)
  })

  it('says what the server said when there is no such block', async () => {
    const { live } = await open([await serve(true)])
    await assert.rejects(
      live.withNode({ signal }, (node) => node.lookupBlock(master, { seqno: 10_000 })),
      (error: NodeRefusedError) => error instanceof NodeRefusedError && /cannot find block/.test(error.serverText),
    )
  })

  it('takes failures that are not of the server for the outcome', async () => {
    const servers = [await serve(false), await serve(true)]
    const { live, node } = await open(servers)
    let runs = 0
    const work = async (): Promise<never> => {
      runs++
      throw new OddError('the work itself failed')
    }
    await assert.rejects(live.withNode({ signal }, work), OddError)
    assert.equal(runs, 1)
    assert.deepEqual(
      node.pool.status.map(({ failed }) => failed),
      [0, 0],
    )
  })

  it('goes elsewhere with work that a server answers falsely', async () => {
    const servers = [await serve(false), await serve(true)]
    const { live, node } = await open(servers)
    let first: number | undefined
    const index = await live.withNode({ signal }, async (one) => {
      first ??= one.index
      if (one.index === first) throw new ProofFailedError('This is not so.')
      return readMuch(one)
    })
    assert.notEqual(index, first)
    assert.equal(node.pool.status[first!]?.condition, 'aside')
  })

  it('does not ask on for a caller who has gone, and spares the others', async () => {
    const servers = [await serve(true)]
    const { live } = await open(servers)
    const leaving = new AbortController()
    const left = live.withNode({ signal: leaving.signal }, async (node) => {
      const head = await node.getHead()
      const state = node.getAccountState(faucet, head)
      leaving.abort(new OddError('gone'))
      await state
    })
    const stayed = live.withNode({ signal }, async (node) => node.getAccountState(faucet, await node.getHead()))
    await assert.rejects(left, OddError)
    assert.equal((await stayed).block.seqno, chain.store.head?.id.seqno)
  })

  it('tells of earlier blocks, proven', async () => {
    const { live } = await open([await serve(true)])
    const { last, keyBlock } = await live.withNode({ signal }, async (node) =>
      node.getPreviousBlocks(await node.getHead()),
    )
    const head = chain.store.head!.id
    assert.equal(last[0]?.seqno, head.seqno)
    assert.equal(last.at(-1)?.seqno, 0)
    assert.equal(last.length, head.seqno + 1)
    assert.deepEqual(last.at(-1)?.rootHash, chain.store.zeroState.rootHash)
    assert.ok(keyBlock.seqno <= 1)
  })

  it('gives the hash of the newest state', async () => {
    const { live } = await open([await serve(true)])
    const info = await live.withNode({ signal }, (node) => node.getMasterchainInfo())
    assert.equal(info.last.seqno, chain.store.head?.id.seqno)
    assert.deepEqual(info.zeroState.rootHash, chain.store.zeroState.rootHash)
    assert.deepEqual(info.stateRootHash, chain.store.findState(info.last)?.hash())
    assert.equal(live.findHead()?.seqno, info.last.seqno)
  })
})
