import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, type Cell as CoreCell, loadAccount } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { activeAccount, frozenAccount, uninitAccount } from '../../../test/support/sampleState.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ACCOUNT_NONE, accountNoneCell, openAccount, writeAccount } from './Account.ts'

const samples = [uninitAccount, frozenAccount, activeAccount]

test('an absent account is one zero bit, with the hash that first transactions state as their old one', () => {
  assert.equal(toHex(accountNoneCell.hash()), '90aec8965afabb16ebc3cb9b408ebae71b618d78788bc80d09843593cac98da4')
  assert.equal(openAccount(accountNoneCell), ACCOUNT_NONE)
})

test('every kind of account is written so that @ton/core reads what was meant', () => {
  const views = samples.map((account) => {
    const { addr, storageStats, storage } = loadAccount(
      toCoreCell(writeWhole(writeAccount, account)).beginParse().skip(1),
    )
    return [
      addr.toRawString(),
      storageStats.used.bits,
      storageStats.storageExtra?.dictHash.toString(16),
      storageStats.lastPaid,
      storageStats.duePayment,
      storage.lastTransLt,
      storage.balance.coins,
      storage.balance.other?.get(239),
      storage.state.type,
    ]
  })
  const lt = 47_000_000_003n
  assert.deepEqual(views, [
    [`-1:${'11'.repeat(32)}`, 103n, undefined, 1_700_000_000, null, lt, 5_000_000_000n, undefined, 'uninit'],
    [`-1:${'22'.repeat(32)}`, 103n, undefined, 1_700_000_000, 12_345n, lt, 0n, 666_666n, 'frozen'],
    [`-1:${'33'.repeat(32)}`, 103n, 'dd'.repeat(32), 0, null, lt, 7n, 1n, 'active'],
  ])
})

test('every kind of account is read back as it was written', () => {
  for (const account of samples) {
    assert.deepEqual(toPlain(openAccount(writeWhole(writeAccount, account))), toPlain(account))
  }
})

test('what is not an account is refused with our error', () => {
  const used = () => beginCell().storeBit(true).storeUint(0b100, 3).storeInt(0, 8).storeUint(7, 256).storeUint(0, 6)
  const cases: [string, CoreCell, RegExp][] = [
    ['no bits', beginCell().endCell(), /1 more bits were expected/],
    ['an external address', beginCell().storeUint(0b101, 3).storeUint(0, 9).endCell(), /Expected an internal address/],
    ['unknown storage extra', used().storeUint(0b010, 3).endCell(), /\$000 or \$001, but got \$010/],
    ['cut in the middle', used().storeUint(0, 3).storeUint(5, 20).endCell(), /more bits were expected/],
    ['something behind an absent one', beginCell().storeUint(0, 2).endCell(), /An Account should fill its cell/],
  ]
  for (const [name, cell, message] of cases) {
    const isOurs = (error: unknown): boolean => error instanceof CellError && message.test(error.message)
    assert.throws(() => openAccount(fromCoreCell(cell)), isOurs, name)
  }
})
