import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { markDistributed } from '../distributed/engine.ts'
import type { CopyRow } from '../schema/columns.ts'
import type { tables } from '../schema/tables.ts'
import { upsertNewest } from './upsertRows.ts'

type Wallet = CopyRow<typeof tables.jetton_wallets>

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const wallet = (address: number, sinceLt: bigint, lastLt: bigint, owner = 9): Wallet => ({
  ...{ since_lt: sinceLt, last_lt: lastLt, mintless_is_claimed: null, balance: lastLt * 10n, address: key(address) },
  ...{ owner: key(owner), jetton: key(7), code_hash: key(1).subarray(1), data_hash: key(2).subarray(1) },
})

/** Batches after each other: new rows, newer and older ones, an earlier beginning, another owner. */
const batches = [
  [wallet(1, 10n, 20n), wallet(2, 10n, 20n), wallet(3, 10n, 20n)],
  [wallet(1, 15n, 30n), wallet(2, 5n, 15n), wallet(3, 12n, 19n), wallet(4, 1n, 2n)],
  [wallet(1, 8n, 40n, 5), wallet(4, 0n, 3n)],
]

test('rows of a cluster become what they become on one server, and lists by owner have them, too', async (t) => {
  if (!haveDatabase(t)) return
  const written = await Promise.all(
    [false, true].map(async (isCluster) => {
      const database = await openFreshDatabase(t)
      return database.transaction(async (client) => {
        if (isCluster) markDistributed(client)
        for (const rows of batches) await upsertNewest(client, 'jetton_wallets', rows)
        const list = async (table: string) => (await client.query(`SELECT * FROM ${table} ORDER BY address`)).rows
        return { wallets: await list('jetton_wallets'), owned: await list('owned_wallets') }
      })
    }),
  )
  const [plain, cluster] = written
  assert.deepEqual(
    plain!.wallets.map((row) => [row.since_lt, row.last_lt, row.owner[0]]),
    [
      [8n, 40n, 5],
      [5n, 20n, 9],
      [10n, 20n, 9],
      [0n, 3n, 9],
    ],
  )
  assert.deepEqual(cluster!.wallets, plain!.wallets)
  assert.deepEqual(cluster!.owned, plain!.wallets)
  assert.deepEqual(plain!.owned, [])
})
