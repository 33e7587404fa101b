import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PackName, parsePackName } from './packName.ts'

const cases: readonly [string, PackName | undefined][] = [
  ['archive.00000.pack', { kind: 'slice', id: 0, shard: undefined }],
  ['archive.00203.pack', { kind: 'slice', id: 203, shard: undefined }],
  ['archive.12345678.pack', { kind: 'slice', id: 12_345_678, shard: undefined }],
  [
    'archive.00103.0_8000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: 0, shard: 0x8000_0000_0000_0000n } },
  ],
  [
    'archive.00103.0:c000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: 0, shard: 0xc000_0000_0000_0000n } },
  ],
  [
    'archive.00103.-7_4000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: -7, shard: 0x4000_0000_0000_0000n } },
  ],
  ['key.archive.000000.pack', { kind: 'key', id: 0 }],
  ['key.archive.200000.pack', { kind: 'key', id: 200_000 }],
  ['temp.archive.1794711600.pack', { kind: 'temporary', id: 1_794_711_600 }],
  ['download.pack', { kind: 'other' }],
  ['archive.1.pack', { kind: 'other' }],
  ['archive.00103.0_80.pack', { kind: 'other' }],
  ['temp.archive.1794711600.0_8000000000000000.pack', { kind: 'other' }],
  ['archive.00000.index', undefined],
  ['archive.00000.pack.tmp', undefined],
  ['arch0000', undefined],
]

for (const [file, expected] of cases) {
  test(`${file} is ${expected === undefined ? 'no package' : `a package of the kind ${expected.kind}`}`, () => {
    assert.deepEqual(parsePackName(file), expected)
  })
}
