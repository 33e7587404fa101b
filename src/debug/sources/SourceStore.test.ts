import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeTree } from '../../../test/support/writeTree.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { SourceStore } from './SourceStore.ts'

const mapOf = (byte: number, language = 'tolk') => ({
  language,
  code_hash: toBase64(new Uint8Array(32).fill(byte)),
  files: [],
  marks: {},
  places: [],
  methods: {},
  errors: {},
})

test('source maps outlive the process, and belong to a key', async (t) => {
  const folder = join(writeTree(t, {}), 'sources')
  const first = new SourceStore(folder)
  const map = mapOf(1)
  assert.equal(await first.find(map.code_hash), undefined)
  await first.put(map, 'a')
  await assert.rejects(first.put(map, undefined), { code: 'forbidden' })
  await assert.rejects(first.delete(map.code_hash, 'b'), { code: 'forbidden' })
  const later = new SourceStore(folder)
  assert.deepEqual(await later.get(map.code_hash), map)
  await later.put(mapOf(1, 'func'), 'a')
  assert.equal((await first.get(map.code_hash)).language, 'func')
  assert.deepEqual(readdirSync(folder), [`${'01'.repeat(32)}.json`])
  await later.delete(map.code_hash, 'a')
  await assert.rejects(first.get(map.code_hash), { code: 'source_map_not_found' })
})

test('in memory the oldest source maps make way', async () => {
  const store = new SourceStore()
  for (let byte = 0; byte < 65; byte++) await store.put(mapOf(byte), undefined)
  assert.equal(await store.find(mapOf(0).code_hash), undefined)
  assert.equal((await store.get(mapOf(64).code_hash)).language, 'tolk')
})
