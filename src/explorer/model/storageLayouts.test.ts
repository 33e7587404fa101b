import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, type Cell, Dictionary } from '@ton/core'
import { readCellTree } from './cellTree.ts'
import { readStorage } from './storageLayouts.ts'

const raw = `0:${'5A'.repeat(32)}`
const owner = Address.parse(raw)
const treeOf = (cell: Cell) => readCellTree(cell.toBoc().toString('base64'))!

const valuesOf = (interfaces: readonly string[], cell: Cell) => {
  const storage = readStorage(interfaces, treeOf(cell))
  return storage && [storage.layout, ...storage.fields.map(({ name, value }) => [name, value])]
}

test('the data of known contracts has names', () => {
  const wallet = beginCell().storeBit(true).storeUint(7, 32).storeUint(11, 32).storeUint(255, 256)
  assert.deepEqual(valuesOf(['wallet_v5r1'], wallet.storeDict(Dictionary.empty()).endCell()), [
    'Wallet v5',
    ['is_signature_allowed', 1n],
    ['seqno', 7n],
    ['wallet_id', 11n],
    ['public_key', 255n],
    ['extensions', null],
  ])
  const code = beginCell().storeUint(1, 8).endCell()
  const jetton = beginCell().storeCoins(500n).storeAddress(owner).storeAddress(null).storeRef(code).endCell()
  assert.deepEqual(valuesOf(['jetton_wallet'], jetton), [
    'Jetton wallet',
    ['balance', 500n],
    ['owner', raw],
    ['jetton_master', null],
    ['wallet_code', treeOf(code)],
  ])
  const terms = beginCell().storeUint(100, 64).storeUint(50, 32).storeUint(10, 32).storeUint(5, 32).storeCoins(9n)
  const vesting = beginCell()
    .storeUint(1, 32)
    .storeUint(2, 32)
    .storeUint(3, 256)
    .storeDict(Dictionary.empty())
    .storeRef(terms.storeAddress(owner).storeAddress(owner).endCell())
    .endCell()
  assert.deepEqual(valuesOf(['wallet_vesting'], vesting)?.slice(5, 7), [
    ['start', 100n],
    ['total_duration', 50n],
  ])
})

test('data that does not fit to its last bit has no layout', () => {
  const wallet = beginCell().storeUint(7, 32).storeUint(11, 32).storeUint(255, 256)
  assert.equal(valuesOf(['wallet_v3r2'], wallet.endCell())?.[0], 'Wallet v3')
  assert.equal(valuesOf(['wallet_v3r2'], wallet.storeBit(true).endCell()), undefined)
  assert.equal(valuesOf(['jetton_wallet'], beginCell().endCell()), undefined)
  assert.equal(valuesOf(['something_else'], beginCell().endCell()), undefined)
})
