import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexedBlockQuery } from './isIndexed.ts'

test('whether a block is there', () => {
  assert.equal(indexedBlockQuery(5).compile().sql, 'select "mc_seqno" from "indexed_blocks" where "mc_seqno" = $1')
})
