import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gatherRows } from './gatherRows.ts'

const rows = { bytes: Uint8Array.of(1, 2, 2, 3, 3, 3, 4), ends: Uint32Array.of(1, 3, 6, 7) }

const cases: readonly { readonly indexes: readonly number[]; readonly bytes: readonly number[] }[] = [
  { indexes: [], bytes: [] },
  { indexes: [0], bytes: [1] },
  { indexes: [3], bytes: [4] },
  { indexes: [1, 2], bytes: [2, 2, 3, 3, 3] },
  { indexes: [0, 2, 3], bytes: [1, 3, 3, 3, 4] },
  { indexes: [0, 1, 2, 3], bytes: [1, 2, 2, 3, 3, 3, 4] },
]

for (const { indexes, bytes } of cases) {
  test(`rows ${indexes.join()}`, () => assert.deepEqual([...gatherRows(rows, indexes)], bytes))
}
