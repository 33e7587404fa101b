import assert from 'node:assert/strict'
import { test } from 'node:test'
import { externalsSinceQuery } from './findExternalsSince.ts'

test('the newest message from outside of each account', () => {
  const { sql, parameters } = externalsSinceQuery([{ account: new Uint8Array(33), lt: 5n }]).compile()
  assert.equal(
    sql.replaceAll(/\s+/g, ' '),
    'select "t".* from unnest( $1::bytea[], $2::bigint[] ) as k(account, lt) inner join lateral ' +
      '(select "t"."account", "t"."lt", "t"."mc_seqno" from "transactions" as "t" where "t"."account" = "k"."account" ' +
      'and "t"."lt" > "k"."lt" and t.in_bits & 7 = 2 order by "t"."lt" desc limit $3) as "t" on true',
  )
  assert.deepEqual(parameters, [[new Uint8Array(33)], [5n], 1])
})
