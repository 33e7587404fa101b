import assert from 'node:assert/strict'
import { matchers, type TransactionMatch, type Transactions } from '../../../src/testing/matchers.ts'

/** Stands in for the `expect` of Jest and vitest, neither of which this repository has: the part that the sample uses. */
export const expect = (received: unknown) => ({
  toBe: (wanted: unknown): void => assert.equal(received, wanted),
  toBeLessThan: (limit: number | bigint): void => assert.ok((received as number | bigint) < limit),
  toHaveLength: (length: number): void => assert.equal((received as readonly unknown[]).length, length),
  toHaveTransaction: (match: TransactionMatch): void => {
    const { pass, message } = matchers.toHaveTransaction(received as Transactions, match)
    assert.ok(pass, message())
  },
  not: {
    toHaveTransaction: (match: TransactionMatch): void => {
      const { pass, message } = matchers.toHaveTransaction(received as Transactions, match)
      assert.ok(!pass, message())
    },
  },
})
