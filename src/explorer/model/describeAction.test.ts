import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAction } from './describeAction.ts'

const describe = (type: string, details: object) => describeAction({ type, details } as never)

test('an NFT transfer names the item, who gave it and who got it', () => {
  const details = { nft_item: 'I', old_owner: 'A', new_owner: 'B', is_purchase: false }
  const { title, from, to, item } = describe('nft_transfer', details)
  assert.deepEqual([title, from, to, item], ['NFT transfer', 'A', 'B', 'I'])
})

test('a purchase is from the seller, not from the contract that sold it', () => {
  const details = { nft_item: 'I', old_owner: 'SALE', real_old_owner: 'A', new_owner: 'B', price: '5' }
  const { from, to, amounts } = describe('nft_purchase', details)
  assert.deepEqual([from, to, amounts], ['A', 'B', [{ value: '5' }]])
})

test('both sides of a swap: coins have no jetton', () => {
  const details = {
    sender: 'A',
    dex_incoming_transfer: { asset: null, amount: '10' },
    dex_outgoing_transfer: { asset: 'J', amount: '20' },
  }
  const { amounts } = describe('jetton_swap', details)
  assert.deepEqual(amounts, [{ value: '10' }, { value: '20', jetton: 'J', isReturned: true }])
})

test('a type that nobody named is still said in words', () => {
  const { title, from, to } = describe('nft_new_dns_thing', { source: 'A', destination: 'B' })
  assert.deepEqual([title, from, to], ['NFT new DNS thing', 'A', 'B'])
})
