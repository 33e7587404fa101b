import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { recordVisited } from '../../src/codec/cell/HashIndex.ts'
import { buildMerkleProof } from '../../src/codec/cell/merkle.ts'
import { decodeLiteAnswer } from '../../src/codec/tl/liteQuery.ts'
import {
  listTransactions,
  type PageRequest,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
} from '../../src/node/proofs/blockTransactionProofs.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { formatShard } from '../../src/primitives/shard.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listFixtures, readFixture } from '../support/fixtures.ts'
import { readPair } from '../support/liteProofs.ts'
import { LocalnetTrust } from '../support/localnetTrust.ts'

const readBlock = ({ workchain, shard, seqno }: BlockIdExt): Cell =>
  decodeSingleBoc(readFixture(`localnet/blocks/${workchain}_${formatShard(shard)}_${seqno}.boc`))

/** The proof that a server makes of a page: what it reads to answer, and nothing else. */
const proveAsServer = (root: Cell, question: PageRequest): Uint8Array =>
  encodeBoc([
    buildMerkleProof(
      root,
      recordVisited(() => listTransactions(root, question)),
    ),
  ])

test('recorded pages without a proof fit one that is made from their block', (t) => {
  let pages = 0
  let withMetadata = 0
  for (const path of listFixtures('localnet/liteserver', '.json')) {
    if (!/\/\d{3}-listBlockTransactions/.test(path)) continue
    const { request, response } = readPair(path)
    const { call } = decodeLiteQuery(request)
    if (call.kind === 'liteServer.listBlockTransactions') {
      const answer = decodeLiteAnswer(call.kind, response)
      assert.ok(answer.ok)
      const proof = proveAsServer(readBlock(call.id), call)
      const { transactions } = verifyBlockTransactions(call.id, call, { ...answer.result, proof })
      withMetadata += transactions.filter(({ metadata }) => metadata !== undefined).length
    } else {
      assert.ok(call.kind === 'liteServer.listBlockTransactionsExt')
      const answer = decodeLiteAnswer(call.kind, response)
      assert.ok(answer.ok)
      const proof = proveAsServer(readBlock(call.id), call)
      verifyBlockTransactionsExt(call.id, call, { ...answer.result, proof })
    }
    pages++
  }
  t.diagnostic(`${pages} pages, ${withMetadata} transactions with metadata`)
  assert.equal(pages, 10)
  assert.equal(withMetadata, 20)
})

test('pages of every size lead through a block, both ways', (t) => {
  const trust = new LocalnetTrust()
  const blocks = [trust.block(0, 0x4000000000000000n, 92), trust.masterchainBlock(66), trust.masterchainBlock(1)]
  let pages = 0
  for (const id of blocks) {
    const root = readBlock(id)
    const all = listTransactions(root, { mode: 7, count: 256 }).transactions.map(({ hash }) => toHex(hash))
    for (const count of [1, 2, 3, 7, all.length, all.length + 1, 256]) {
      for (const reverse of [0, 64]) {
        const found: string[] = []
        let after: PageRequest['after']
        for (let isComplete = false; !isComplete; pages++) {
          const question = { mode: 7 | 32 | reverse | (after === undefined ? 0 : 128), count, after }
          const proof = proveAsServer(root, question)
          const listed = listTransactions(root, question)
          const ids = listed.transactions.map(({ account, lt, hash }) => ({ mode: 7, account, lt, hash }))
          const answer = { id, reqCount: count, incomplete: !listed.isComplete, ids, proof }
          const page = verifyBlockTransactions(id, question, answer)
          assert.ok(page.transactions.length <= count)
          assert.equal(page.isComplete, page.transactions.length < count)
          found.push(...page.transactions.map(({ hash }) => toHex(hash)))
          isComplete = page.isComplete
          after = page.transactions.at(-1)
        }
        assert.deepEqual(found, reverse === 0 ? all : all.toReversed(), `${id.seqno}, pages of ${count}`)
      }
    }
  }
  t.diagnostic(`${pages} pages`)
})
