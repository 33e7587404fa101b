import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKeyOf, formatUpperRawAddress } from '../../primitives/Address.ts'
import { packDetails, unpackDetails } from './packDetails.ts'

const addresses = [0, -1].map((workchain, k) => ({ workchain, hash: new Uint8Array(32).fill(171 + k) }))
const accounts = addresses.map(addressKeyOf)
const [alice, bob] = addresses.map(formatUpperRawAddress) as [string, string]
const carol = alice.replaceAll('AB', 'CD')

test('the accounts of an action are kept in its details by their places', () => {
  const details = {
    source: alice,
    list: [{ to: bob, amount: '5', comment: null }, bob, carol],
    lower: alice.toLowerCase(),
    texts: ['', '\u0001', '\u00010', '\u0001\u00011', '@1', `${alice} `],
    count: 3,
    success: true,
  }
  const packed = packDetails(details, accounts)
  assert.deepEqual(packed, {
    ...details,
    source: '\u00010',
    list: [{ to: '\u00011', amount: '5', comment: null }, '\u00011', carol],
    texts: ['', '\u0001\u0001', '\u0001\u00010', '\u0001\u0001\u00011', '@1', `${alice} `],
  })
  assert.deepEqual(unpackDetails(packed, accounts), details)
})

test('what was kept as it is shown is shown as it was kept', () => {
  const details = { source: alice, destination: carol }
  assert.deepEqual(unpackDetails(details, accounts), details)
  assert.deepEqual(packDetails(details, [new Uint8Array(0)]), details)
})
