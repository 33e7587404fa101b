import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookEntriesQuery } from './findBookEntries.ts'

test('for each account its state and one look into the index of wallets, which ends at the first that it owns', () => {
  const accounts = [new Uint8Array(33)]
  const { sql, parameters } = bookEntriesQuery(accounts)
  assert.equal(
    sql.replace(/\s+/g, ' '),
    'select a.account, s.code_hash, d.domain from unnest($1::bytea[]) as a(account) left join latest_account_states as s on s.account = a.account left join lateral ( select domain from dns_entries where dns_wallet = a.account and nft_item_owner = a.account order by length(domain), domain limit 1 ) as d on true where s.code_hash is not null or d.domain is not null',
  )
  assert.deepEqual(parameters, [accounts])
})
