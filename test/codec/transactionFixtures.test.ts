import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell, loadMessage, loadTransaction } from '@ton/core'
import { AugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { readMessage, writeMessage } from '../../src/codec/tlb/Message.ts'
import {
  accountBlocksType,
  accountTransactionsType,
  listOutMsgs,
  outMsgsType,
  readTransaction,
  writeAccountBlock,
  writeTransaction,
} from '../../src/codec/tlb/Transaction.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { describeTransaction } from '../support/describeTransaction.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { packEntries } from '../support/packEntries.ts'
import { Tally } from '../support/rewriteBlock.ts'

const assertSame = (rebuilt: Cell, cell: Cell, what: string): void => {
  assert.equal(toHex(rebuilt.hash()), toHex(cell.hash()), what)
}

const checkMessage = (cell: Cell, tally: Tally): void => {
  const message = readWhole(cell, readMessage, 'A message')
  assertSame(writeWhole(writeMessage, message), cell, 'a message written again')
  tally.add(`message ${message.info.kind}`)
  if (message.init !== undefined) tally.add(`StateInit in ${message.init.inRef ? 'a reference' : 'line'}`)
}

const checkTransaction = (cell: Cell, tally: Tally): void => {
  const transaction = readWhole(cell, readTransaction, 'A transaction')
  assertSame(writeWhole(writeTransaction, transaction), cell, 'a transaction written again')
  tally.add(`transaction ${transaction.description.kind}`)
  const outMsgs = listOutMsgs(transaction)
  const { root } = Dict.of(outMsgsType, outMsgs.entries())
  assert.deepEqual(
    root !== undefined && 'hash' in root ? toHex(root.hash()) : undefined,
    transaction.outMsgs.root !== undefined && 'hash' in transaction.outMsgs.root
      ? toHex(transaction.outMsgs.root.hash())
      : undefined,
  )
  for (const message of outMsgs) checkMessage(message, tally)
  if (transaction.inMsg !== undefined) checkMessage(transaction.inMsg, tally)
}

/** Everything in the account blocks, written again from what was read; the dictionaries rebuilt from their entries. */
const checkBlock = (root: Cell, tally: Tally): void => {
  const accountBlocks = openAccountBlocks(openBlockExtra(openBlock(root).extra))
  const rebuilt = accountBlocks.entries().map(([account, block]) => {
    const transactions = AugDict.of(accountTransactionsType, block.transactions.entries())
    assert.deepEqual(transactions.rootExtra.grams, block.transactions.rootExtra.grams)
    const again = { ...block, transactions }
    assertSame(writeWhole(writeAccountBlock, again), writeWhole(writeAccountBlock, block), 'an account block rebuilt')
    for (const [, cell] of block.transactions.entries()) checkTransaction(cell, tally)
    tally.add('AccountBlock')
    return [account, again] as const
  })
  const dict = AugDict.of(accountBlocksType, rebuilt)
  if (accountBlocks.isEmpty) assert.ok(dict.isEmpty)
  else assertSame(dict.root as Cell, accountBlocks.root as Cell, 'the account blocks rebuilt')
  tally.add('block')
}

test('every transaction and message of the localnet blocks is written again to the same hash', (t) => {
  const tally = new Tally()
  for (const path of listFixtures('localnet/blocks', '.boc')) checkBlock(decodeSingleBoc(readFixture(path)), tally)
  t.diagnostic(tally.toString())
  assert.equal(tally.counts.get('block'), 1511)
  const kinds = [...tally.counts].filter(([name]) => name.startsWith('transaction'))
  assert.equal(
    kinds.reduce((sum, [, count]) => sum + count, 0),
    3935,
  )
})

test('every transaction and message of the main and test network blocks is written again to the same hash', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks')) return
  const tally = new Tally()
  for (const path of listFixtures('mainnet/blocks', '.boc')) checkBlock(decodeSingleBoc(readFixture(path)), tally)
  for (const path of listFixtures('mainnet/archives', '.pack')) {
    for (const { name, data } of packEntries(readFixture(path))) {
      if (name.startsWith('block_')) checkBlock(decodeSingleBoc(data), tally)
    }
  }
  t.diagnostic(tally.toString())
  assert.equal(tally.counts.get('block'), 152 + 684)
})

test('localnet transactions read as the recorded list says', (t) => {
  const lines = new TextDecoder().decode(readFixture('localnet/transactions.jsonl')).trim().split('\n')
  const expected = new Map<string, unknown>()
  for (const line of lines) {
    const { block, account, ...rest } = JSON.parse(line) as { block: string; account: string; hash: string }
    expected.set(rest.hash, rest)
  }
  let compared = 0
  for (const path of listFixtures('localnet/blocks', '.boc')) {
    openAccountBlocks(openBlockExtra(openBlock(decodeSingleBoc(readFixture(path))).extra)).forEach(
      (_account, block) => {
        block.transactions.forEach((_lt, cell) => {
          const found = describeTransaction(cell)
          assert.deepEqual(found, expected.get(found.hash))
          compared++
        })
      },
    )
  }
  assert.equal(compared, lines.length)
  t.diagnostic(`${compared} transactions compared field by field`)
})

test('single recorded transactions are written again, and read as another library reads them', (t) => {
  if (!haveFixtures(t, 'mainnet/transactions')) return
  const tally = new Tally()
  type Entry = { readonly file: string; readonly hash: string; readonly account: string; readonly lt: string }
  for (const { file, hash, account, lt } of readFixtureJson<Entry[]>('mainnet/transactions/index.json')) {
    const bytes = readFixture(`mainnet/transactions/${file}`)
    // One file is a whole page of an account's history; the first root is the one listed.
    const cell = decodeBoc(bytes)[0]!
    assert.equal(toHex(cell.hash()), hash)
    checkTransaction(cell, tally)
    const ours = readTransaction(openCell(cell))
    assert.equal(toHex(ours.accountAddr), account)
    assert.equal(String(ours.lt), lt)
    const theirs = loadTransaction(CoreCell.fromBoc(Buffer.from(bytes))[0]!.beginParse())
    assert.equal(ours.totalFees.grams, theirs.totalFees.coins)
    assert.equal(ours.outMsgCount, theirs.outMessagesCount)
    const compute = 'computePhase' in ours.description ? ours.description.computePhase : undefined
    const theirCompute = 'computePhase' in theirs.description ? theirs.description.computePhase : undefined
    if (compute?.kind === 'vm' && theirCompute?.type === 'vm') {
      assert.deepEqual(
        [compute.gasUsed, compute.gasLimit, compute.gasFees, compute.exitCode, compute.vmSteps, compute.gasCredit],
        [
          theirCompute.gasUsed,
          theirCompute.gasLimit,
          theirCompute.gasFees,
          theirCompute.exitCode,
          theirCompute.vmSteps,
          theirCompute.gasCredit,
        ],
      )
      tally.add('compute phase compared')
    }
    for (const message of listOutMsgs(ours)) {
      const { info } = readMessage(openCell(message))
      const core = loadMessage(CoreCell.fromBoc(Buffer.from(encodeBoc([message])))[0]!.beginParse()).info
      if (info.kind === 'internal' && core.type === 'internal') {
        assert.deepEqual(
          [info.value.grams, info.fwdFee, info.createdLt, info.bounce],
          [core.value.coins, core.forwardFee, core.createdLt, core.bounce],
        )
        tally.add('internal message compared')
      }
    }
  }
  t.diagnostic(tally.toString())
})
