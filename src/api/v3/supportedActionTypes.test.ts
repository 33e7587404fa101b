import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandActionTypes } from './supportedActionTypes.ts'

test('versions hold what went before, and shortcuts are spelled out', () => {
  const counts = { v1: 23, v2: 46, v3: 63, v4: 75, latest: 75 }
  for (const [version, count] of Object.entries(counts))
    assert.equal(expandActionTypes([version]).length, count, version)
  assert.deepEqual(expandActionTypes([]), expandActionTypes(['latest']))
  assert.equal(new Set(expandActionTypes(['latest'])).size, 75)
  const beyondFirst = (...words: string[]): string[] =>
    expandActionTypes(words).filter((type) => !expandActionTypes(['v1']).includes(type))
  assert.deepEqual(beyondFirst('staking', 'jettons', 'nft', 'dns'), [])
  assert.deepEqual(beyondFirst('dns.v2'), ['dns_purchase', 'dns_release'])
  assert.deepEqual(beyondFirst('vesting', 'something_new'), [
    'vesting_send_message',
    'vesting_add_whitelist',
    'something_new',
  ])
  assert.equal(beyondFirst('tgbtc').length, 7)
  assert.equal(beyondFirst('cocoon').length, 12)
  assert.equal(beyondFirst('coffee').length, 8)
  assert.equal(beyondFirst('layerzero').length, 5)
})
