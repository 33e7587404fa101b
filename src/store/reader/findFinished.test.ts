import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishedQuery } from './findFinished.ts'

const hash = new Uint8Array(32)

test('which are finished', () => {
  assert.equal(finishedQuery([hash]).compile().sql, 'select "trace_id" from "traces" where "trace_id" = any($1)')
})
