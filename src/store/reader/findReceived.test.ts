import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receivedQuery } from './findReceived.ts'

const hash = new Uint8Array(32)

test('which were received', () => {
  assert.equal(receivedQuery([hash]).compile().sql, 'select "in_hash" from "transactions" where "in_hash" = any($1)')
})
