import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADNLAddress } from '@ton/core'
import { formatAdnlAddress } from './adnlAddress.ts'
import { fromHex } from './hex.ts'

test('the address of a known site', () => {
  const id = fromHex('3d94f73794ca3c511c486574bb55a5b7f4f747a4e2aca618479a77bc841111d1')
  assert.equal(formatAdnlAddress(id), 'u6zj5zxstfdyui4jbsxjo2vuw37j52hutrkzjqyi6nhppeecei5cjex')
})

test('as another library writes it', () => {
  for (let k = 0; k < 200; k++) {
    const id = new Uint8Array(32).map((_, at) => (k * 37 + at * at * 11 + 5) & 0xff)
    assert.equal(formatAdnlAddress(id), new ADNLAddress(Buffer.from(id)).toString())
  }
})
