import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { toHex } from './hex.ts'
import { sha256, sha256Into } from './sha256.ts'

// FIPS 180-4 examples.
const vectors: readonly (readonly [string, string])[] = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
]

const into = (message: Uint8Array): string => {
  const out = new Uint8Array(40).fill(0xaa)
  sha256Into(message, out, 5)
  assert.equal(toHex(out.subarray(0, 5)) + toHex(out.subarray(37)), 'aa'.repeat(8))
  return toHex(out.subarray(5, 37))
}

for (const [text, digest] of vectors) {
  test(`published digest of ${text.length} bytes`, () => {
    const message = new TextEncoder().encode(text)
    assert.equal(toHex(sha256(message)), digest)
    assert.equal(into(message), digest)
  })
}

test('every length up to 400 agrees with the digest of the platform', () => {
  const message = Uint8Array.from({ length: 400 }, (_, k) => (k * 151 + (k >> 3) * 7) & 0xff)
  for (let length = 0; length <= message.length; length++) {
    const part = message.subarray(0, length)
    const expected = createHash('sha256').update(part).digest('hex')
    assert.equal(into(part), expected, `${length} bytes`)
    assert.equal(toHex(sha256(part)), expected, `${length} bytes`)
  }
})

test('a length that takes three bytes in the padding is stated right', () => {
  const message = new Uint8Array(70_000).fill(1)
  assert.equal(into(message), createHash('sha256').update(message).digest('hex'))
})

test('the result is a copy of its own', () => {
  const first = sha256(Uint8Array.of(1))
  const kept = toHex(first)
  sha256(Uint8Array.of(2))
  assert.equal(toHex(first), kept)
  assert.equal(first.constructor, Uint8Array)
})
