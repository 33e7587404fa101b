import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { addressKeyOf } from '../../primitives/Address.ts'
import { upsertContracts } from '../commit/accounts.ts'
import { noContracts } from './inspectBatch.ts'
import { createStoredContracts } from './knownContracts.ts'

const key = (byte: number): Uint8Array => addressKeyOf({ workchain: -1, hash: filled(byte) })

const common = { since_lt: 4n, last_lt: 5n, code_hash: filled(8), data_hash: filled(9) }
const wallet = {
  ...common,
  mintless_is_claimed: null,
  balance: 2n ** 200n,
  address: key(1),
  owner: key(2),
  jetton: key(3),
}
// What content holds is up to anybody.
const content = { name: '\\u0000 "\\\\u0000"', description: '\u{1f4a5} \u2028', uri: '' }
const item = {
  ...common,
  init: true,
  index: 2n ** 256n - 1n,
  address: key(4),
  collection_address: null,
  owner_address: key(2),
  content,
}

test('what was written of tokens and codes is known', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const known = createStoredContracts(database)
  const accounts = [key(1), key(4), key(5)]
  assert.deepEqual(await known.findTokens(accounts), [])
  await database.transaction((client) =>
    upsertContracts(client, {
      contracts: { ...noContracts(), jetton_wallets: [wallet], nft_items: [item] },
      codes: [{ code_hash: filled(8), code: filled(1), methods: [1n, 2n] }],
      jettonTransfers: [],
      jettonBurns: [],
      nftTransfers: [],
    }),
  )
  const plain = (values: readonly object[]): unknown[] =>
    values.map((value) =>
      Object.fromEntries(
        Object.entries(value).map(([name, it]) => [name, it instanceof Uint8Array ? Uint8Array.from(it) : it]),
      ),
    )
  assert.deepEqual(plain(await known.findTokens(accounts)), [
    { kind: 'jettonWallet', account: key(1), codeHash: filled(8), lastLt: 5n, owner: key(2), master: key(3) },
    {
      kind: 'nftItem',
      account: key(4),
      codeHash: filled(8),
      lastLt: 5n,
      index: 2n ** 256n - 1n,
      collection: undefined,
    },
  ])
  assert.deepEqual(plain(await known.readWallets(accounts)), [wallet])
  assert.deepEqual(plain(await known.readItems(accounts)), [item])
  assert.deepEqual(
    (await known.findStoredCodes([filled(8), filled(7)])).map((hash) => Uint8Array.from(hash)),
    [filled(8)],
  )
})
