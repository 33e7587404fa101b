import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesQuery } from './findCodes.ts'

test('codes are found by their hashes', () => {
  assert.equal(
    codesQuery([new Uint8Array(33)]).compile().sql,
    'select "code_hash", "code" from "codes" where "code_hash" = any($1)',
  )
})
