import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { headerProof, proofOf } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { verifyTransaction } from '../../../test/support/proofs/accountAnswers.ts'
import { amount, filled, marker } from '../../../test/support/sampleMessages.ts'
import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { writeCurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { type AccountBlock, accountTransactionsType } from '../../codec/tlb/Transaction.ts'
import { listTransactions, verifyBlockTransactions, verifyBlockTransactionsExt } from './blockTransactionProofs.ts'
import { verifyTransactionList } from './transactionProofs.ts'

/** As much of a transaction as these checks read, and references for a proof to prune. */
const transaction = (account: number, lt: bigint, prev: { hash: Uint8Array; lt: bigint }): Cell => {
  const w = new CellWriter().writeUint(0b0111, 4).writeBytes(filled(account)).writeUint64(lt)
  w.writeBytes(prev.hash)
    .writeUint64(prev.lt)
    .writeUint(1_700_000_000, 32)
    .writeUint(0, 15 + 4)
  w.writeRef(new CellWriter().writeUint(0, 2).toCell())
  writeCurrencyCollection(w, amount(1n))
  return w
    .writeRef(marker(Number(lt)))
    .writeRef(marker(account))
    .toCell()
}

const accountBlock = (account: number, transactions: readonly (readonly [bigint, Cell])[]): AccountBlock => ({
  accountAddr: filled(account),
  transactions: AugDict.of(accountTransactionsType, transactions),
  stateUpdate: { oldHash: filled(1), newHash: filled(2) },
})

const chain = new ProvableChain()
const NONE = { hash: filled(0), lt: 0n }
const first = transaction(0x10, 1_000_001n, NONE)
const second = transaction(0x10, 1_000_003n, { hash: first.hash(), lt: 1_000_001n })
const third = transaction(0x20, 1_000_002n, NONE)
const block = chain.addShardBlock({
  accountBlocks: [
    [
      filled(0x10),
      accountBlock(0x10, [
        [1_000_001n, first],
        [1_000_003n, second],
      ]),
    ],
    [filled(0x20), accountBlock(0x20, [[1_000_002n, third]])],
    // Not what a validator would let pass: an account under the key of another.
    [filled(0x30), accountBlock(0x31, [[1_000_004n, third]])],
  ],
})
const account = { workchain: 0, id: filled(0x10) }
const NO_BYTES = new Uint8Array(0)

const proofTo = (id: Uint8Array, lt: bigint): Uint8Array =>
  encodeBoc([
    proofOf(block.root, () => {
      const { extra } = openBlock(block.root)
      openAccountBlocks(openBlockExtra(extra)).find(id)?.transactions.find(lt)
    }),
  ])

const answer = { id: block.id, proof: proofTo(account.id, 1_000_003n), transaction: encodeBoc([second]) }
const request = { account, lt: 1_000_003n }

test('a transaction that is in the block', () => {
  const proven = verifyTransaction(block.id, request, answer)
  assert.deepEqual(proven.transaction?.hash(), second.hash())
  const lies: [change: Partial<typeof answer>, message: RegExp][] = [
    [{ transaction: encodeBoc([first]) }, /differs from the one in the block/],
    [{ transaction: Uint8Array.of(1) }, /The proof of a transaction failed/],
    [{ proof: encodeBoc([headerProof(block)]) }, /pruned branch/],
    [{ proof: NO_BYTES }, /was not given/],
    [{ id: { ...block.id, seqno: 9 } }, /should be block/],
  ]
  for (const [change, message] of lies) {
    assertRefused(() => verifyTransaction(block.id, request, { ...answer, ...change }), message)
  }
  const abroad = { account: { workchain: -1, id: account.id }, lt: 1_000_003n }
  assertRefused(() => verifyTransaction(block.id, abroad, answer), /cannot hold the account/)
  const misplaced = { account: { workchain: 0, id: filled(0x30) }, lt: 1_000_004n }
  const found = { ...answer, proof: proofTo(filled(0x30), 1_000_004n), transaction: encodeBoc([third]) }
  assertRefused(() => verifyTransaction(block.id, misplaced, found), /under another account/)
})

test('absence by the path, or by the times of the block', () => {
  const headerAnd = (id: Uint8Array, lt: bigint): Uint8Array =>
    encodeBoc([
      proofOf(block.root, () => {
        openBlockInfo(openBlock(block.root).info)
        openAccountBlocks(openBlockExtra(openBlock(block.root).extra))
          .find(id)
          ?.transactions.find(lt)
      }),
    ])
  for (const lt of [1_000_002n, 1_000_009n]) {
    const absent = { ...answer, proof: headerAnd(account.id, lt), transaction: NO_BYTES }
    assert.equal(verifyTransaction(block.id, { account, lt }, absent).transaction, undefined)
  }
  const headerOnly = { ...answer, proof: encodeBoc([headerProof(block)]), transaction: NO_BYTES }
  for (const lt of [5n, 1_000_000n, 1_000_010n, 9_000_000n]) {
    assert.equal(verifyTransaction(block.id, { account, lt }, headerOnly).transaction, undefined)
  }
  // Within the times of the block a header says nothing, and a path that leads to it says the contrary.
  assertRefused(() => verifyTransaction(block.id, request, headerOnly), /pruned branch/)
  const hidden = { ...answer, proof: headerAnd(account.id, 1_000_003n), transaction: NO_BYTES }
  assertRefused(() => verifyTransaction(block.id, request, hidden), /proven to be in the block/)
})

test('a history is a chain of hashes', () => {
  const history = { count: 10, account, lt: 1_000_003n, hash: second.hash() }
  const list = { ids: [block.id, block.id], transactions: encodeBoc([second, first]) }
  const proven = verifyTransactionList(history, list)
  assert.deepEqual(
    proven.transactions.map(({ lt, hash }) => [lt, hash]),
    [
      [1_000_003n, second.hash()],
      [1_000_001n, first.hash()],
    ],
  )
  assert.equal(proven.next, undefined)
  const one = verifyTransactionList(history, { ids: [block.id], transactions: encodeBoc([second]) })
  assert.deepEqual(one.next, { lt: 1_000_001n, hash: first.hash() })

  const refuse = (change: Partial<typeof history>, changedList: Partial<typeof list>, message: RegExp): void =>
    assertRefused(() => verifyTransactionList({ ...history, ...change }, { ...list, ...changedList }), message)
  refuse({ hash: first.hash() }, {}, /has another hash/)
  refuse({ lt: 1_000_004n }, {}, /says lt 1000003/)
  refuse({ count: 1 }, {}, /Up to 1 transactions were requested, but got 2/)
  refuse({ account: { workchain: 0, id: filled(0x11) } }, {}, /of another account/)
  refuse({ account: { workchain: -1, id: account.id } }, {}, /cannot hold it/)
  refuse({}, { ids: [block.id] }, /Expected 1 root .* but got 2/)
  refuse({}, { ids: [] }, /but got 0/)
  refuse({}, { transactions: encodeBoc([second, third]) }, /has another hash/)
  const beyond = { ids: [block.id, block.id, block.id], transactions: encodeBoc([second, first, third]) }
  refuse({}, beyond, /after the account's first one/)
})

test('a page that leaves out, adds or exchanges transactions', () => {
  const honest = chain.addShardBlock({
    accountBlocks: [
      [
        filled(0x10),
        accountBlock(0x10, [
          [1_000_001n, first],
          [1_000_003n, second],
        ]),
      ],
      [filled(0x20), accountBlock(0x20, [[1_000_002n, third]])],
    ],
  })
  const page = { mode: 7 | 32, count: 3 }
  const listed = listTransactions(honest.root, page)
  const proof = encodeBoc([proofOf(honest.root, () => listTransactions(honest.root, page))])
  const ids = listed.transactions.map((each) => ({
    mode: 7,
    account: each.account,
    lt: each.lt,
    hash: each.hash,
  }))
  const full = { id: honest.id, reqCount: 3, incomplete: true, ids, proof }
  assert.equal(verifyBlockTransactions(honest.id, page, full).transactions.length, 3)
  const lies: [change: Partial<typeof full>, message: RegExp][] = [
    [{ ids: ids.slice(1) }, /page of 3 transactions, but got 2/],
    [{ ids: [...ids, ids[0]!] }, /page of 3 transactions, but got 4/],
    [{ ids: ids.toReversed() }, /not the one that the block has there/],
    [{ ids: ids.map(({ account: own, lt }) => ({ mode: 3, account: own, lt })) as typeof ids }, /not the one/],
    [{ incomplete: false }, /wrong about whether more/],
  ]
  for (const [change, message] of lies) {
    assertRefused(() => verifyBlockTransactions(honest.id, page, { ...full, ...change }), message)
  }
  // One more than a page was proven for: what follows is pruned away, and nothing is taken for its absence.
  const twoOnly = encodeBoc([proofOf(honest.root, () => listTransactions(honest.root, { ...page, count: 1 }))])
  assertRefused(() => verifyBlockTransactions(honest.id, page, { ...full, proof: twoOnly }), /pruned branch/)

  const whole = { id: honest.id, reqCount: 3, incomplete: true, transactions: encodeBoc([first, second, third]), proof }
  assert.equal(verifyBlockTransactionsExt(honest.id, page, whole).transactions.length, 3)
  const swapped = { ...whole, transactions: encodeBoc([second, first, third]) }
  assertRefused(() => verifyBlockTransactionsExt(honest.id, page, swapped), /not the one that the block has there/)
  const none = { ...page, count: 0 }
  const noneProof = encodeBoc([proofOf(honest.root, () => listTransactions(honest.root, none))])
  const empty = { ...whole, transactions: NO_BYTES, proof: noneProof }
  assert.deepEqual(verifyBlockTransactionsExt(honest.id, none, empty).transactions, [])
})
