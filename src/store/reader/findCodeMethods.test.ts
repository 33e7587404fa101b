import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeMethodsQuery } from './findCodeMethods.ts'

test('methods are found by the hash of the code', () => {
  assert.equal(
    codeMethodsQuery([new Uint8Array(33)]).compile().sql,
    'select "code_hash", "methods" from "codes" where "code_hash" = any($1)',
  )
})
