import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { hashBigint, hashBytes } from './hashValue.ts'

test('values have the hashes that the server gives them', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const bytes = Array.from({ length: 70 }, (_, length) => randomBytes(length))
  const numbers = [0n, 1n, -1n, 2n ** 31n, -(2n ** 31n), 2n ** 32n, 2n ** 63n - 1n, -(2n ** 63n)]
  for (let k = 0; k < 60; k++) numbers.push(randomBytes(8).readBigInt64BE())
  const { rows } = await database.transaction((client) =>
    client.query<{ bytes: number[]; numbers: number[] }>(
      `SELECT (SELECT array_agg(hashbytea(b) ORDER BY k) FROM unnest($1::bytea[]) WITH ORDINALITY AS u (b, k)) AS bytes,
        (SELECT array_agg(hashint8(n) ORDER BY k) FROM unnest($2::bigint[]) WITH ORDINALITY AS u (n, k)) AS numbers`,
      [bytes, numbers],
    ),
  )
  assert.deepEqual(bytes.map(hashBytes), rows[0]!.bytes)
  assert.deepEqual(numbers.map(hashBigint), rows[0]!.numbers)
})
