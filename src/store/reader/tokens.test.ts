import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokensQuery } from './tokens.ts'

test('wallets are looked up once, and what they hold with everything else', () => {
  const addresses = [new Uint8Array(33)]
  const { sql, parameters } = tokensQuery(addresses)
  const arm = (table: string, index: string): string =>
    `select r.address, '${table}' as type, ${index} as index, null::bytea as owner, null::bytea as jetton, null::numeric as balance, m.valid, m.name, m.description, m.symbol, m.image, m.extra from ${table} as r left join address_metadata as m on m.address = r.address and m.type = '${table}' and m.valid is not null where r.address = any((select addresses from asked)::bytea[])`
  assert.equal(
    sql.replace(/\s+/g, ' '),
    `with held as materialized (select address, owner, jetton, balance from jetton_wallets where address = any($1::bytea[])), asked as materialized (select $1::bytea[] || coalesce((select array_agg(jetton) from held), '{}') as addresses) ${arm('jetton_masters', 'null::numeric')} union all ${arm('nft_collections', 'null::numeric')} union all ${arm('nft_items', 'r.index')} union all select address, 'jetton_wallets', null, owner, jetton, balance, null, null, null, null, null, null from held`,
  )
  assert.deepEqual(parameters, [addresses])
})
