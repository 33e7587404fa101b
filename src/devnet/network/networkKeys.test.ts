import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveAccountSecrets } from '../wallets/createDevAccounts.ts'
import { deriveKeys, findAccounts, listWellKnownSecrets, WELL_KNOWN_SEED } from './networkKeys.ts'

test('the well-known accounts are those of the well-known seed', async () => {
  const derived = await deriveAccountSecrets(deriveKeys(WELL_KNOWN_SEED).accounts)
  assert.deepEqual(listWellKnownSecrets(), derived)
})

test('ten accounts, three kinds of wallets among them, and others for another seed', async () => {
  const accounts = await findAccounts(WELL_KNOWN_SEED)
  assert.equal(accounts.length, 10)
  const kinds = accounts.map(({ wallet }) => wallet.kind)
  assert.deepEqual(
    ['v4r2', 'v5r1', 'highload-v3'].filter((kind) => !kinds.some((other) => other === kind)),
    [],
  )
  const others = await findAccounts('another')
  assert.notDeepEqual(others[0]?.mnemonic, accounts[0]?.mnemonic)
  assert.equal(await findAccounts('another'), others)
})
