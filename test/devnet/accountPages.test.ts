import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { decodeBoc } from '../../src/codec/cell/decodeBoc.ts'
import { getLibraries, getLibrariesWithProof } from '../../src/devnet/liteserver/config.ts'
import type { LiteserverContext } from '../../src/devnet/liteserver/LiteFunction.ts'
import {
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getOutMsgQueueSizes,
} from '../../src/devnet/liteserver/queues.ts'
import {
  getTransactions,
  listBlockTransactions,
  listBlockTransactionsExt,
} from '../../src/devnet/liteserver/transactions.ts'
import { verifyBlockTransactions, verifyBlockTransactionsExt } from '../../src/node/proofs/blockTransactionProofs.ts'
import { verifyLibrariesWithProof } from '../../src/node/proofs/configProofs.ts'
import { verifyQueueSize } from '../../src/node/proofs/queueProofs.ts'
import { verifyTransactionList } from '../../src/node/proofs/transactionProofs.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import {
  busyAccount,
  busyLibrary,
  LIBRARIES,
  makeBusyChain,
  OWN_TRANSACTIONS,
  TRANSACTIONS,
  WAITING_ACCOUNTS,
  WAITING_OF_ONE,
} from '../support/busyChain.ts'
import type { LiteServerTransactionId3 } from '../support/liteServerAnswers.ts'
import { createLiteserverContext } from '../support/liteserverContext.ts'
import { verifyDispatchQueueInfo, verifyDispatchQueueMessages } from '../support/proofs/dispatchQueues.ts'
import { storeProvableChain } from '../support/provableStore.ts'

const WITH_ALL_FIELDS = 7
const WITH_PROOF = 32
const REVERSE = 64
const AFTER = 128
const WITH_METADATA = 256

const chain = makeBusyChain()
const busy = chain.shard[0]!.id
let context: LiteserverContext

before(async () => {
  context = createLiteserverContext(await storeProvableChain(chain))
})

type Listed = { readonly account: Uint8Array; readonly lt: bigint; readonly hash: Uint8Array; readonly depth?: number }

/** All transactions of the busy block by pages, each of them proven; and how long the pages were. */
const walkPages = async (mode: number, count: number, isWhole: boolean) => {
  const listed: Listed[] = []
  const pages: number[] = []
  let after: LiteServerTransactionId3 | undefined
  for (let isComplete = false; !isComplete; ) {
    const position = after === undefined ? {} : { after }
    const question = { id: busy, mode: mode | WITH_PROOF | (after === undefined ? 0 : AFTER), count, ...position }
    const page = isWhole
      ? verifyBlockTransactionsExt(busy, question, await listBlockTransactionsExt(context, question))
      : verifyBlockTransactions(busy, question, await listBlockTransactions(context, question))
    pages.push(page.transactions.length)
    for (const { account, lt, hash, metadata } of page.transactions) {
      listed.push({ account, lt, hash, ...(metadata === undefined ? {} : { depth: metadata.depth }) })
      after = { account, lt }
    }
    isComplete = page.isComplete
  }
  return { listed, pages }
}

const describeListed = ({ account, lt, hash, depth }: Listed): string =>
  `${toHex(account)} ${lt} ${toHex(hash)} ${depth ?? ''}`

describe('pages of block transactions', () => {
  it('hold 256 at most, and all of them hold all, in both orders and both forms', async () => {
    const forward = await walkPages(WITH_ALL_FIELDS, 1000, false)
    assert.deepEqual(forward.pages, [256, TRANSACTIONS - 256])
    const expected = forward.listed.map(describeListed)
    assert.equal(new Set(expected).size, TRANSACTIONS)
    assert.deepEqual(expected.slice().sort(), expected)
    for (const isWhole of [false, true]) {
      const backward = await walkPages(WITH_ALL_FIELDS | REVERSE, 100, isWhole)
      assert.deepEqual(backward.pages, [100, 100, 100, TRANSACTIONS - 300])
      assert.deepEqual(backward.listed.map(describeListed).reverse(), expected)
      assert.deepEqual((await walkPages(WITH_ALL_FIELDS, 7, isWhole)).listed.map(describeListed), expected)
    }
  })

  it('are followed by an empty one where the last is full', async () => {
    const { pages } = await walkPages(WITH_ALL_FIELDS, TRANSACTIONS / 3, true)
    assert.deepEqual(pages, [113, 113, 113, 0])
  })

  it('tell of metadata where a message has some', async () => {
    const { listed } = await walkPages(WITH_ALL_FIELDS | WITH_METADATA, 256, false)
    const others = listed.slice(OWN_TRANSACTIONS)
    assert.deepEqual(
      others.map(({ depth }) => depth),
      others.map((_, k) => ((k + 1) % 3 === 0 ? k + 1 : undefined)),
    )
    const thirds = await walkPages(WITH_ALL_FIELDS | WITH_METADATA, TRANSACTIONS / 3, false)
    assert.deepEqual(thirds.pages, [113, 113, 113, 0])
    const whole = await walkPages(WITH_METADATA, 256, true)
    assert.deepEqual(whole.listed.map(describeListed), listed.map(describeListed))
  })

  it('are empty and incomplete for a count of zero or less', async () => {
    for (const count of [0, 0xffff_ffff, 0x8000_0000]) {
      const question = { id: busy, mode: WITH_ALL_FIELDS | WITH_PROOF, count }
      const { ids, incomplete, reqCount } = await listBlockTransactions(context, question)
      assert.deepEqual({ ids, incomplete, reqCount }, { ids: [], incomplete: true, reqCount: count })
      const whole = await listBlockTransactionsExt(context, question)
      assert.deepEqual([whole.transactions, whole.incomplete], [new Uint8Array(), true])
    }
  })

  it('give only the fields that are asked for, and no proof where none is', async () => {
    for (const mode of [0, 1, 2, 4, 0x7fff_fe00]) {
      const { ids, proof } = await listBlockTransactions(context, { id: busy, mode, count: 1 })
      const [{ account, lt, hash, mode: stated } = assert.fail()] = ids
      assert.equal(stated, mode)
      assert.deepEqual(
        [account, lt, hash].map((field) => field !== undefined),
        [1, 2, 4].map((bit) => (mode & bit) !== 0),
      )
      assert.equal(proof.length, 0)
    }
  })

  it('start behind a place that no account has', async () => {
    const missing = busyAccount(100)
    missing[31] = 1
    const question = { id: busy, mode: 7 | WITH_PROOF | AFTER, count: 3, after: { account: missing, lt: 0n } }
    const { transactions } = verifyBlockTransactions(busy, question, await listBlockTransactions(context, question))
    assert.deepEqual(
      transactions.map(({ account }) => toHex(account)),
      [101, 102, 103].map((number) => toHex(busyAccount(number))),
    )
  })
})

describe('transactions of an account', () => {
  it('come sixteen at a time, and the lists lead to the first', async () => {
    const account = { workchain: 0, id: busyAccount(0) }
    const { transactions } = await listBlockTransactionsExt(context, { id: chain.shard[1]!.id, mode: 0, count: 1 })
    const [newest] = decodeBoc(transactions)
    let next = { lt: 2_000_001n, hash: newest!.hash() } as { lt: bigint; hash: Uint8Array } | undefined
    const lengths: number[] = []
    const blocks = new Set<number>()
    while (next !== undefined) {
      const question = { count: 100, account, ...next }
      const answer = await getTransactions(context, question)
      for (const { seqno } of answer.ids) blocks.add(seqno)
      const list = verifyTransactionList(question, answer)
      lengths.push(list.transactions.length)
      next = list.next
    }
    assert.deepEqual(lengths, [16, 16, 1 + OWN_TRANSACTIONS - 32])
    assert.deepEqual([...blocks], [2, 1])
  })

  it('are none for a count of zero, and for an account without any', async () => {
    const account = { workchain: 0, id: busyAccount(1) }
    const none = { ids: [], transactions: new Uint8Array() }
    assert.deepEqual(await getTransactions(context, { count: 0, account, lt: 5n, hash: new Uint8Array(32) }), none)
    assert.deepEqual(await getTransactions(context, { count: 9, account, lt: 0n, hash: new Uint8Array(32) }), none)
  })
})

describe('dispatch queues', () => {
  const accountsOf = async (maxAccounts: number, afterAddr?: Uint8Array) => {
    const position = afterAddr === undefined ? {} : { afterAddr }
    const question = { mode: afterAddr === undefined ? 1 : 3, id: busy, maxAccounts, ...position }
    return verifyDispatchQueueInfo(busy, question, await getDispatchQueueInfo(context, question))
  }

  it('list 64 accounts at most, and look whether more follow', async () => {
    const first = await accountsOf(0x7fff_ffff)
    assert.deepEqual([first.accounts.length, first.isComplete], [64, false])
    const second = await accountsOf(WAITING_ACCOUNTS - 64, first.accounts.at(-1)!.account)
    assert.deepEqual([second.accounts.length, second.isComplete], [WAITING_ACCOUNTS - 64, true])
    assert.deepEqual(
      [...first.accounts, ...second.accounts].map(({ size, minLt, maxLt }) => [size, minLt, maxLt]),
      Array.from({ length: WAITING_ACCOUNTS }, (_, number) => {
        const size = number === 5 ? WAITING_OF_ONE : 1
        return [size, 1000n + BigInt(100 * number), 1000n + BigInt(100 * number + size - 1)]
      }),
    )
  })

  it('list 64 messages at most, 16 with their cells, across accounts', async () => {
    for (const [mode, length] of [
      [1, 64],
      [5, 16],
    ] as const) {
      let position: { readonly addr: Uint8Array; readonly afterLt: bigint } = { addr: new Uint8Array(32), afterLt: -1n }
      const lts: bigint[] = []
      for (let isComplete = false; !isComplete; ) {
        const question = { mode, id: busy, ...position, maxMessages: 1000 }
        const answer = await getDispatchQueueMessages(context, question)
        const checked = { ...question, afterLt: question.afterLt < 0n ? 0n : question.afterLt }
        const page = verifyDispatchQueueMessages(busy, checked, answer)
        assert.equal(page.messages.length, page.isComplete ? (WAITING_ACCOUNTS + WAITING_OF_ONE - 1) % length : length)
        for (const { account, lt, message, metadata } of page.messages) {
          lts.push(lt)
          assert.equal(message !== undefined, mode === 5)
          assert.equal(metadata === undefined, lt % 2n === 0n)
          position = { addr: account, afterLt: lt }
        }
        isComplete = page.isComplete
      }
      assert.equal(lts.length, WAITING_ACCOUNTS + WAITING_OF_ONE - 1)
      assert.deepEqual(
        lts.toSorted((a, b) => Number(a - b)),
        lts,
      )
    }
  })

  it('list the messages of one account alone', async () => {
    const ask = async (addr: Uint8Array, maxMessages: number, afterLt = 0n) => {
      const question = { mode: 3, id: busy, addr, afterLt, maxMessages }
      return verifyDispatchQueueMessages(busy, question, await getDispatchQueueMessages(context, question))
    }
    const one = await ask(busyAccount(4), 10)
    assert.deepEqual([one.messages.map(({ lt }) => lt), one.isComplete], [[1400n], true])
    const many = await ask(busyAccount(5), 64)
    assert.deepEqual([many.messages.length, many.isComplete], [64, false])
    const rest = await ask(busyAccount(5), 64, many.messages.at(-1)!.lt)
    assert.deepEqual([rest.messages.length, rest.isComplete], [WAITING_OF_ONE - 64, true])
    const none = await ask(busyAccount(WAITING_ACCOUNTS), 64)
    assert.deepEqual([none.messages.length, none.isComplete], [0, true])
  })

  it('tell the sizes of the queues to other shards', async () => {
    assert.equal(verifyQueueSize(busy, await getBlockOutMsgQueueSize(context, { mode: 1, id: busy })), 5)
    const { shards, extMsgQueueSizeLimit } = await getOutMsgQueueSizes(context, { mode: 0 })
    assert.deepEqual(
      shards.map(({ id, size }) => [id.workchain, id.seqno, size]),
      [
        [-1, 3, 0],
        [0, 2, 0],
      ],
    )
    assert.equal(extMsgQueueSizeLimit, 8000)
    for (const [wc, shard, count] of [
      [0, 0xdead_beef_0000_0001n, 1],
      [-1, wholeShard, 1],
      [5, wholeShard, 0],
      [0, 0n, 1],
    ] as const) {
      assert.equal((await getOutMsgQueueSizes(context, { mode: 1, wc, shard })).shards.length, count)
    }
  })
})

describe('libraries', () => {
  const hashes = Array.from({ length: LIBRARIES }, (_, number) => busyLibrary(number).hash())

  it('come in order, each once, of the first sixteen that are asked for', async () => {
    const asked = [...hashes, ...hashes]
    const expected = hashes.slice(0, 16).map(toHex).sort()
    assert.deepEqual(
      (await getLibraries(context, { libraryList: asked })).result.map(({ hash }) => toHex(hash)),
      expected,
    )
    const { head } = context.store
    const question = { id: head!.id, mode: 1, libraryList: asked }
    const proven = verifyLibrariesWithProof(head!.id, question, await getLibrariesWithProof(context, question))
    assert.deepEqual(
      proven.found.map(({ hash }) => toHex(hash)),
      expected,
    )
    assert.ok(proven.found.every(({ publishers, library }) => publishers?.length === 16 && library !== undefined))
  })

  it('are proven to be missing, and come without data where that is asked', async () => {
    const { id } = context.store.findMaster(1)!
    const question = { id, mode: 2, libraryList: [hashes[0]!, new Uint8Array(32)] }
    const proven = verifyLibrariesWithProof(id, question, await getLibrariesWithProof(context, question))
    assert.equal(proven.missing.length, 2)
    const later = { ...question, id: context.store.head!.id }
    const found = verifyLibrariesWithProof(later.id, later, await getLibrariesWithProof(context, later))
    assert.deepEqual([found.found.length, found.missing.length, found.found[0]?.library], [1, 1, undefined])
    assert.deepEqual(await getLibraries(context, { libraryList: [] }), { result: [] })
  })
})
