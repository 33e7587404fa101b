import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { toBase64, toBase64Url } from './base64.ts'
import { ParseError } from './errors.ts'
import { type HashForm, parseHash, sha256, sha256Into } from './hash.ts'
import { fromHex, toHex } from './hex.ts'

const hex = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'
const base64 = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
const url = 'CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM'

const indexedForms: HashForm[] = ['hex', 'prefixed_hex', 'base64']

test('the forms of the live interface', () => {
  for (const text of [hex, hex.toUpperCase(), base64, `${url}=`, url]) {
    assert.deepEqual(parseHash(text), fromHex(hex), text)
  }
})

test('the forms of the indexed interface', () => {
  for (const text of [hex, hex.toUpperCase(), `0x${hex}`, `0x${hex.toUpperCase()}`, base64, `${url}=`]) {
    assert.deepEqual(parseHash(text, indexedForms), fromHex(hex), text)
  }
  const expected = 'a hash as 64 hex digits or 0x and 64 hex digits or 44 characters of padded base64'
  for (const text of [url, `0X${hex}`]) {
    assert.throws(() => parseHash(text, indexedForms), new ParseError(expected, text))
  }
})

test('the three spellings of one hash', () => {
  const hash = parseHash(url)
  assert.deepEqual([toHex(hash), toBase64(hash), toBase64Url(hash)], [hex, base64, url])
})

test('texts that are no hash', () => {
  const bad: [text: string, why: string][] = [
    ['', 'empty'],
    ['abc', 'short'],
    [base64.slice(0, -1), 'plain alphabet without padding'],
    [`0x${hex}`, 'prefixed hex'],
    [hex.slice(1), '63 digits'],
    [`${hex}0`, '65 digits'],
    [hex.replace('8', 'g'), 'not hex'],
    [`${url}A`, '44 characters without padding are 33 bytes'],
    [`${url.slice(0, -1)}==`, '31 bytes'],
    [`${url.slice(0, -1)}N`, 'stray bits'],
    [`${base64.slice(0, -2)}N=`, 'stray bits'],
    [base64.replace('/', '_'), 'mixed alphabets'],
    [base64.replace('+', ' '), 'a blank for a plus'],
    [`${base64}\n`, 'a line break'],
  ]
  for (const [text, why] of bad) assert.throws(() => parseHash(text), ParseError, why)
  const expected = 'a hash as 64 hex digits or 44 characters of padded base64 or 43 characters of base64url'
  assert.throws(() => parseHash('abc'), new ParseError(expected, 'abc'))
})

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
