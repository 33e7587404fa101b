import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenMetadataQuery } from './findTokenMetadata.ts'

test('metadata is found by the primary key', () => {
  assert.equal(
    tokenMetadataQuery([new Uint8Array(33)]).compile().sql,
    'select "address", "type", "valid", "name", "description", "symbol", "image", "extra" from "address_metadata" where "address" = any($1) and "valid" is not null',
  )
})
