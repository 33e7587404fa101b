import assert from 'node:assert/strict'
import { test } from 'node:test'
import { multisigsQuery } from './listMultisigs.ts'

test('multisigs by address and by member', () => {
  const filter = { addresses: [new Uint8Array(33)], members: [new Uint8Array(33)], direction: 'desc' } as const
  assert.equal(
    multisigsQuery(filter, { limit: 10, offset: 0, after: undefined }).compile().sql,
    'select "since_lt", "last_lt", "threshold", "next_order_seqno", "address", "code_hash", "data_hash", "signers", "proposers" from "multisigs" where "address" = any($1) and (signers && $2::bytea[] or proposers && $3::bytea[]) order by "since_lt" desc, "address" desc limit $4',
  )
})
