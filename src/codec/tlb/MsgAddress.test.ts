import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStandardAddress } from './MsgAddress.ts'

const hash = new Uint8Array(32).fill(0x0f)

test('an account is told by its standard address', () => {
  assert.deepEqual(findStandardAddress({ kind: 'std', workchain: -1, hash, anycast: undefined }), {
    workchain: -1,
    hash,
  })
  const wide = { kind: 'var', workchain: 5, bits: 256, value: hash, anycast: undefined } as const
  assert.deepEqual(findStandardAddress(wide), { workchain: 5, hash })
})

test('an anycast prefix replaces the first bits', () => {
  const anycast = { depth: 6, prefix: Uint8Array.of(0b101101_00) }
  const found = findStandardAddress({ kind: 'std', workchain: 0, hash, anycast })
  assert.equal(found?.hash[0], 0b101101_11)
  assert.equal(found?.hash[1], 0x0f)
  assert.equal(hash[0], 0x0f)
})

test('what is no account, or has no standard form, is none', () => {
  assert.equal(findStandardAddress({ kind: 'none' }), undefined)
  assert.equal(findStandardAddress({ kind: 'extern', bits: 8, value: Uint8Array.of(1) }), undefined)
  const short = { kind: 'var', workchain: 0, bits: 255, value: hash, anycast: undefined } as const
  assert.equal(findStandardAddress(short), undefined)
  assert.equal(findStandardAddress({ ...short, bits: 256, workchain: 128 }), undefined)
})
