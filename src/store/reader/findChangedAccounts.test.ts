import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedAccountsQuery } from './findChangedAccounts.ts'

test('the newest transaction of each account', () => {
  const { sql, parameters } = changedAccountsQuery([{ account: new Uint8Array(33), lt: 5n }], 70).compile()
  assert.equal(
    sql.replaceAll(/\s+/g, ' '),
    'select "t".* from unnest( $1::bytea[], $2::bigint[] ) as k(account, lt) inner join lateral ' +
      '(select "t"."account", "t"."lt", "t"."mc_seqno" from "transactions" as "t" where "t"."account" = "k"."account" ' +
      'and "t"."lt" > "k"."lt" and "t"."mc_seqno" >= $3 order by "t"."lt" desc limit $4) as "t" on true',
  )
  assert.deepEqual(parameters, [[new Uint8Array(33)], [5n], 70, 1])
})
