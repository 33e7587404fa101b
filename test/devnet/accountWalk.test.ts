import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import type { LiteServerAccountId } from '../../src/codec/tl/liteServerTypes.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { openOutMsgQueueInfo } from '../../src/codec/tlb/OutMsgQueueInfo.ts'
import { readTransaction } from '../../src/codec/tlb/Transaction.ts'
import { openState } from '../../src/devnet/liteserver/blockAccess.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import type { BlockPage } from '../../src/node/ProvenNode.ts'
import { NodePool } from '../../src/node/pool/NodePool.ts'
import type { ProvenAccountState } from '../../src/node/proofs/accountProofs.ts'
import { TrustedChain } from '../../src/node/TrustedChain.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromHex, toHex } from '../../src/primitives/hex.ts'
import { formatShard } from '../../src/primitives/shard.ts'
import { haveFixtures, readFixture } from '../support/fixtures.ts'
import { openGrowingChain } from '../support/growingChain.ts'
import { listenForTest } from '../support/listenStore.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import { createOwnChain } from '../support/OwnChain.ts'
import { runWorkload } from '../support/ownWorkload.ts'
import { isLong } from '../support/testLength.ts'
import { WalkingNode } from '../support/WalkingNode.ts'

/** A transaction of the recorded blocks as another library reads it. */
type Recorded = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly prev_lt: string
  readonly end_status: string
  readonly new_state_hash: string
}

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

const readRecorded = (): Recorded[] =>
  Buffer.from(readFixture('localnet/transactions.jsonl'))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)

/** Our client, which believes nothing, over a socket to our server. */
const openNode = async (t: TestContext, store: ChainStore): Promise<WalkingNode> => {
  const server = await listenForTest(t, store)
  const pool = new NodePool([server], { logger, zeroStateRootHash: store.zeroState.rootHash })
  await pool.start()
  t.after(() => pool.close())
  const trust = new TrustedChain(pool, { mode: 'full', anchor: store.zeroState, logger, freshMs: 60_000 })
  return new WalkingNode(pool, trust, { cacheBytes: 0 })
}

const nameOf = ({ workchain, shard, seqno }: BlockIdExt): string => `${workchain}_${formatShard(shard)}_${seqno}`

const listBlocks = (store: ChainStore): Map<string, BlockIdExt> => {
  const blocks = new Map<string, BlockIdExt>()
  for (let seqno = 1; seqno <= store.head!.id.seqno; seqno++) {
    for (const { id } of [...store.index.listIncluded(seqno), store.findMaster(seqno)!]) blocks.set(nameOf(id), id)
  }
  return blocks
}

/** The same as {@link readRecorded} from the blocks themselves, where no other library has read them. */
const readStored = (store: ChainStore): Recorded[] =>
  Array.from(listBlocks(store), ([block, id]) =>
    openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra))
      .entries()
      .flatMap(([, { transactions }]) => transactions.entries())
      .map(([lt, cell]) => {
        const { accountAddr, prevTransLt, endStatus, stateUpdate } = readWhole(cell, readTransaction, 'A transaction')
        return {
          block,
          account: `${id.workchain}:${toHex(accountAddr)}`,
          lt: `${lt}`,
          hash: toHex(cell.hash()),
          prev_lt: `${prevTransLt}`,
          end_status: endStatus === 'nonexist' ? 'non-existing' : endStatus,
          new_state_hash: toHex(stateUpdate.newHash),
        }
      }),
  ).flat()

const toAccountId = (text: string): LiteServerAccountId => {
  const { workchain, hash } = parseAddress(text)
  return { workchain, id: hash }
}

const groupBy = <T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}

/** All of them, or one in four in the short form. */
const choose = <T>(values: readonly T[]): readonly T[] => values.filter((_, k) => isLong || k % 4 === 0)

/** Runs over all values, a few at a time, so that answers need not wait for each other. */
const forEachOf = async <T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> => {
  const rest = values.values()
  const work = async (): Promise<void> => {
    for (const value of rest) await run(value)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

/** The account after its last transaction in a block, whether it is still there or gone. */
const assertState = (state: ProvenAccountState, { account, lt, hash, end_status, new_state_hash }: Recorded): void => {
  if (end_status === 'non-existing') {
    assert.equal(state.kind, 'absent', account)
    return
  }
  assert.ok(state.kind === 'found', account)
  assert.equal(toHex(state.account.hash()), new_state_hash, account)
  assert.deepEqual([state.lastTransLt, toHex(state.lastTransHash)], [BigInt(lt), hash], account)
}

/** Asks for all that the transactions tell of, and for all of them; says how much that was. */
const walk = async (t: TestContext, store: ChainStore, recorded: readonly Recorded[]): Promise<string> => {
  const node = await openNode(t, store)
  const byBlock = groupBy(recorded, ({ block }) => block)
  const blocks = listBlocks(store)
  const head = await node.getHead()

  let pages = 0
  const walked = choose([...blocks])
  await forEachOf(walked, async ([name, id]) => {
    const expected = (byBlock.get(name) ?? []).map(({ account, lt, hash }) => `${account} ${lt} ${hash}`).sort()
    for (const reverse of [false, true]) {
      const found: string[] = []
      let after: BlockPage['after']
      for (let isComplete = false; !isComplete; pages++) {
        const page = await node.getBlockTransactions(id, { count: 7, reverse, after })
        for (const { account, lt, hash } of page.transactions) {
          found.push(`${id.workchain}:${toHex(account)} ${lt} ${toHex(hash)}`)
          after = { account, lt }
        }
        isComplete = page.isComplete
      }
      assert.deepEqual(found.toSorted(), expected, name)
    }
  })

  const byAccount = groupBy(recorded, ({ account }) => account)
  let listed = 0
  await forEachOf([...byAccount], async ([text, own]) => {
    const account = toAccountId(text)
    const sorted = own.toSorted((a, b) => Number(BigInt(b.lt) - BigInt(a.lt)))
    assertState(await node.getAccountState(account, head), sorted[0]!)
    assertPruned(await node.getAccountBalance(account, head), sorted[0]!)
    // A history begins anew where the account was gone: the list from the newest transaction leads to there.
    for (let k = 0; k < sorted.length; ) {
      const from = { lt: BigInt(sorted[k]!.lt), hash: fromHex(sorted[k]!.hash) }
      const { transactions, next } = await node.getTransactions(account, from, 16)
      for (const { lt, hash } of transactions) {
        assert.deepEqual([`${lt}`, toHex(hash)], [sorted[k]!.lt, sorted[k]!.hash])
        k++
      }
      assert.equal(next === undefined, sorted[k - 1]!.prev_lt === '0')
      listed += transactions.length
    }
  })
  assert.equal(listed, recorded.length)

  const touched = choose([...groupBy(recorded, ({ block, account }) => `${block} ${account}`).values()])
  let registered = 0
  await forEachOf(touched, async (own) => {
    const last = own.reduce((a, b) => (BigInt(a.lt) > BigInt(b.lt) ? a : b))
    const block = blocks.get(last.block)!
    const account = toAccountId(last.account)
    assertState(await node.getAccountState(account, block), last)
    const master = store.findMaster(store.index.find(block)!.masterSeqno)!.id
    const seen = await node.getAccountState(account, master)
    // The masterchain knows the last block of several, in which the account may have gone on.
    if (nameOf(seen.shardBlock!) === last.block) {
      assertState(seen, last)
      registered++
    }
    const { transaction } = await node.getTransaction(block, account, BigInt(last.lt))
    assert.equal(toHex(transaction!.hash()), last.hash)
    const missing = await node.getTransaction(block, account, BigInt(last.lt) + 1n)
    assert.equal(missing.transaction, undefined)
  })

  return (
    `${walked.length} of ${blocks.size} blocks: ${byAccount.size} accounts at the head, ${touched.length} after the blocks that touched them and ${registered} as the ` +
    `masterchain saw them then, ${listed} transactions by history, those of blocks in ${pages} pages of both orders`
  )
}

const assertPruned = (state: ProvenAccountState, { account, end_status, new_state_hash }: Recorded): void => {
  assert.equal(state.kind, end_status === 'non-existing' ? 'absent' : 'found', account)
  if (state.kind === 'found') assert.equal(toHex(state.account.hash(0)), new_state_hash, account)
}

/** The messages in the queue to other shards, one by one. */
const countQueue = (state: Cell): number =>
  openOutMsgQueueInfo(openState(state).outMsgQueueInfo).outQueue.entries().length

describe('accounts and transactions of a recorded chain, asked over a socket', () => {
  it('are proven, by blocks, by history and after every block', async (t) => {
    const store = await loadLocalnetStore()
    const recorded = readRecorded()
    assert.equal(recorded.length, 3935)
    t.diagnostic(await walk(t, store, recorded))
  })

  it('are proven where they wait in queues', async (t) => {
    const store = await loadLocalnetStore()
    const node = await openNode(t, store)
    const found = { sizes: 0, queues: 0, messages: 0 }
    await forEachOf([...listBlocks(store).values()], async (id) => {
      const size = await node.getQueueSize(id)
      assert.equal(size, countQueue(store.findState(id)!), nameOf(id))
      found.sizes += size
      const { accounts } = await node.getDispatchQueue(id, { count: 64 })
      for (const { account, size } of accounts) {
        found.queues++
        let afterLt = 0n
        for (let isComplete = false; !isComplete; ) {
          const page = await node.getDispatchedMessages(id, { account, afterLt, count: 7 })
          found.messages += page.messages.length
          afterLt = page.messages.at(-1)?.lt ?? afterLt
          isComplete = page.isComplete
        }
        assert.ok(found.messages >= size)
      }
    })
    // Of sixty messages that one transaction sent, 50, then 30, then 10 were put off.
    assert.deepEqual(found, { sizes: 1231, queues: 3, messages: 90 })
    t.diagnostic(
      `${found.messages} waiting messages in ${found.queues} dispatch queues, ${found.sizes} in queues to shards`,
    )
  })

  it('are so in the beginning of the main network', async (t) => {
    if (!haveFixtures(t, 'mainnet/archives')) return
    const { store, growTo } = await openGrowingChain(t, 'mainnet')
    await growTo(99)
    t.diagnostic(await walk(t, store, readStored(store)))
  })
})

describe('accounts and transactions of a chain of our own making', () => {
  for (const minSplit of [0, 2]) {
    it(`are proven, by blocks, by history and after every block, with ${2 ** minSplit} shards`, async (t) => {
      const chain = await createOwnChain({ minSplit, faucets: 6 })
      t.after(() => chain.close())
      await runWorkload(chain, { transactions: 400, seed: 21 + minSplit })
      t.diagnostic(await walk(t, chain.store, readStored(chain.store)))
    })
  }
})
