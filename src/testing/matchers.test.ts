import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, type Transaction } from '@ton/core'
import { assertNoTransaction, assertTransaction, findTransaction, flattenTransaction, matchers } from './matchers.ts'

const [alice, bob] = [1, 2].map((byte) => new Address(0, Buffer.alloc(32, byte))) as [Address, Address]

/** The members of a transaction that are looked at here. */
const transfer = (value: bigint, exitCode: number): Transaction =>
  ({
    lt: 5n,
    now: 9,
    oldStatus: 'active',
    endStatus: 'active',
    outMessagesCount: 0,
    totalFees: { coins: 7n },
    inMessage: {
      info: { type: 'internal', src: alice, dest: bob, bounce: true, bounced: false, value: { coins: value } },
      body: beginCell().storeUint(0xf8a7ea5, 32).endCell(),
    },
    description: {
      type: 'generic',
      aborted: exitCode !== 0,
      destroyed: false,
      computePhase: { type: 'vm', success: exitCode === 0, exitCode, gasUsed: 100n },
      actionPhase: exitCode === 0 ? { success: true, resultCode: 0 } : undefined,
    },
  }) as unknown as Transaction

const transactions = [transfer(3n, 0), transfer(4n, 401)]

test('a transaction is found by any of its members', () => {
  const found = findTransaction(transactions, {
    from: alice,
    to: new Address(0, bob.hash),
    op: 0xf8a7ea5,
    exitCode: 401,
  })
  assert.equal(found, transactions[1])
  assert.equal(findTransaction({ transactions }, { value: (value) => value < 4n }), transactions[0])
  assert.equal(
    findTransaction(transactions[0]!, { success: true, body: beginCell().storeUint(0xf8a7ea5, 32).endCell() }),
    transactions[0],
  )
  assert.equal(findTransaction(transactions, { from: bob }), undefined)
  assert.equal(findTransaction(transactions, { actionResultCode: undefined }), transactions[1])
  assert.equal(findTransaction(transactions, { initCode: () => true }), undefined)
  assert.equal(flattenTransaction(transactions[1]!).success, false)
})

test('a failure lists the transactions that there are', () => {
  assert.equal(assertTransaction(transactions, { exitCode: 0 }), transactions[0])
  assert.throws(() => assertTransaction(transactions, { op: 5, exitCode: 402 }), {
    name: 'AssertionError',
    message: [
      'Expected a transaction with { op: 0x5, exitCode: 402 }, but got:',
      `  0: from: ${alice}, to: ${bob}, value: 3, op: 0xf8a7ea5, deploy: false, success: true, aborted: false, exitCode: 0, actionResultCode: 0`,
      `  1: from: ${alice}, to: ${bob}, value: 4, op: 0xf8a7ea5, deploy: false, success: false, aborted: true, exitCode: 401`,
    ].join('\n'),
  })
  assert.throws(
    () => assertTransaction([], { exitCode: 0 }),
    /Expected a transaction with { exitCode: 0 }, but there are none\./,
  )
  assertNoTransaction(transactions, { exitCode: 402 })
  assert.throws(
    () => assertNoTransaction(transactions, { exitCode: 401 }),
    /Expected no transaction with { exitCode: 401 }, but got:/,
  )
  assert.throws(
    () => findTransaction(transactions, { colour: 'red' } as object),
    /A transaction has no colour: expected one of from, to,/,
  )
})

test('matchers have the shape that expect.extend takes', () => {
  const { pass, message } = matchers.toHaveTransaction(transactions, { exitCode: 401 })
  assert.ok(pass && message().startsWith('Expected no transaction with { exitCode: 401 }'))
  const missed = matchers.toHaveTransaction(transactions, { exitCode: 402 })
  assert.ok(!missed.pass && missed.message().startsWith('Expected a transaction with { exitCode: 402 }'))
})
