import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto'
import { filled } from '../../../test/support/sampleMessages.ts'
import { toHex } from '../../primitives/hex.ts'
import { createDevAccounts, deriveMnemonic } from './createDevAccounts.ts'

test('ten accounts come with mnemonics that other libraries accept and read the same way', async () => {
  const accounts = await createDevAccounts(filled(3), -777)
  assert.equal(accounts.length, 10)
  for (const { name, mnemonic, key } of accounts) {
    assert.equal(mnemonic.length, 24, name)
    assert.ok(await mnemonicValidate([...mnemonic]), name)
    const pair = await mnemonicToPrivateKey([...mnemonic])
    assert.equal(toHex(key.publicKey), pair.publicKey.toString('hex'), name)
  }
  const count = (kind: string): number => accounts.filter(({ wallet }) => wallet.kind === kind).length
  assert.deepEqual([count('v4r2'), count('v5r1'), count('v3r2'), count('highload-v3')], [5, 3, 1, 1])
  assert.equal(new Set(accounts.map(({ wallet }) => toHex(wallet.address.hash))).size, 10)
})

test('a mnemonic depends on seed and index alone', async () => {
  const [one, again, otherIndex, otherSeed] = await Promise.all([
    deriveMnemonic(filled(3), 0),
    deriveMnemonic(filled(3), 0),
    deriveMnemonic(filled(3), 1),
    deriveMnemonic(filled(4), 0),
  ])
  assert.deepEqual(one, again)
  assert.notDeepEqual(one, otherIndex)
  assert.notDeepEqual(one, otherSeed)
})
