import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleUnit } from '../../../test/support/inspectSample.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import { listAccountRows } from './accountRows.ts'

const unit = sampleUnit(5, [{ gone: { workchain: 0, hash: filled(7) }, lt: 40n }])
const [touched] = unit.accounts

const extraOf = (shown: ResolvedAccount['extraCurrencies'], resolved: readonly ResolvedAccount[]): unknown => {
  const units = [{ ...unit, accounts: [{ ...touched!, extraCurrencies: shown }] }]
  return listAccountRows({ units, resolved }, undefined)[0]!.balance_extra
}

const resolve = (extraCurrencies: ResolvedAccount['extraCurrencies'], lastLt = 40n): ResolvedAccount => ({
  account: touched!.account,
  lastLt,
  code: undefined,
  data: undefined,
  extraCurrencies,
})

test('currencies that the block does not show are those of the state, and else unknown, which is not none', () => {
  const amounts = { '239': '5' }
  assert.deepEqual(extraOf('unknown', [resolve(amounts)]), amounts)
  assert.equal(extraOf('unknown', [resolve('unknown')]), 'unknown')
  assert.equal(extraOf('unknown', []), 'unknown')
  // Of another state than the newest.
  assert.equal(extraOf('unknown', [resolve(amounts, 39n)]), 'unknown')
  assert.deepEqual(extraOf(amounts, []), amounts)
  assert.equal(extraOf(undefined, [resolve(undefined)]), undefined)
})
