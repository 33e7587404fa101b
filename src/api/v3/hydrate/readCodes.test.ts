import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../../test/support/database.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { readCodes } from './readCodes.ts'

const CODES = 30

const hashOf = (number: number): Uint8Array => new Uint8Array(32).fill(number + 1)

test('an answer knows all of its codes, also while the cache is full', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction(async (client) => {
    for (let number = 0; number < CODES; number++) {
      const values = [Buffer.from(hashOf(number)), [number]]
      await client.query(`INSERT INTO codes (code_hash, code, methods) VALUES ($1, '\\x00', $2)`, values)
    }
  })
  const all = Array.from({ length: CODES }, (_, number) => hashOf(number))
  for (const capacity of [1, 4, CODES - 1, CODES]) {
    const cache: NonNullable<Parameters<typeof readCodes>[2]> = new LruCache(capacity)
    // Some are cached when the rest makes the cache full.
    for (const hashes of [all.slice(0, 3), all, all.slice(2, 5), all]) {
      const codeOf = await readCodes(database.reader().listReads, hashes, cache)
      for (const [at, codeHash] of hashes.entries()) {
        assert.deepEqual(codeOf(codeHash).methods, [all.indexOf(codeHash)], `code ${at} at a capacity of ${capacity}`)
      }
      assert.ok(cache.size <= capacity)
    }
  }
})
