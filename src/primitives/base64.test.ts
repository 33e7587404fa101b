import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBase64, fromPaddedBase64, toBase64, toBase64Url } from './base64.ts'
import { ParseError } from './errors.ts'
import { fromHex } from './hex.ts'

// The first seven rows are section 10 of RFC 4648; the last is the root hash of the main network's zerostate.
const cases: [hex: string, padded: string, url: string][] = [
  ['', '', ''],
  ['66', 'Zg==', 'Zg'],
  ['666f', 'Zm8=', 'Zm8'],
  ['666f6f', 'Zm9v', 'Zm9v'],
  ['666f6f62', 'Zm9vYg==', 'Zm9vYg'],
  ['666f6f6261', 'Zm9vYmE=', 'Zm9vYmE'],
  ['666f6f626172', 'Zm9vYmFy', 'Zm9vYmFy'],
  ['fbeff0', '++/w', '--_w'],
  ['ff', '/w==', '_w'],
  [
    '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569',
    'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
    'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN-Mh-wVWk',
  ],
]

test('bytes to base64 and back, in both alphabets, padded or not', () => {
  for (const [hex, padded, url] of cases) {
    const bytes = fromHex(hex)
    assert.equal(toBase64(bytes), padded)
    assert.equal(toBase64Url(bytes), url)
    const padding = '='.repeat(padded.length - url.length)
    for (const text of [padded, padded.replaceAll('=', ''), url, url + padding]) {
      assert.deepEqual(fromBase64(text), bytes, text)
    }
    assert.deepEqual(fromPaddedBase64(padded), bytes)
  }
})

test('a view is printed from its own bounds', () => {
  const view = Uint8Array.of(0, 0xfb, 0xef, 0xf0, 0).subarray(1, 4)
  assert.equal(toBase64(view), '++/w')
  assert.equal(toBase64Url(view), '--_w')
})

test('the bytes are a plain array of their own', () => {
  assert.equal(Object.getPrototypeOf(fromBase64('Zm9v')), Uint8Array.prototype)
  assert.equal(fromBase64('Zm9v').buffer.byteLength, 3)
  assert.equal(Object.getPrototypeOf(fromPaddedBase64('Zm9v')), Uint8Array.prototype)
})

test('what no encoder prints is refused', () => {
  const bad: [text: string, why: string][] = [
    ['Z', 'a single digit'],
    ['Zg=', 'half of the padding'],
    ['Zg===', 'too much padding'],
    ['Zm9v=', 'padding where none belongs'],
    ['Zm9v====', 'a group of padding'],
    ['====', 'padding alone'],
    ['Zh==', 'stray bits'],
    ['Zm9=', 'stray bits'],
    ['Zh', 'stray bits, unpadded'],
    ['Z=m9', 'padding inside'],
    ['Zg==Zg==', 'two texts in one'],
    ['+-/w', 'mixed alphabets'],
    ['++_w', 'mixed alphabets'],
    [' Zm9v', 'a blank before'],
    ['Zm9v\n', 'a line break after'],
    ['Zm 9v', 'a blank inside'],
    ['Zm9v*', 'a foreign character'],
    ['***', 'foreign characters alone'],
    ['Zm9\u0176', 'a character whose low byte is a digit'],
    ['Zm9v\u0000', 'a NUL'],
  ]
  for (const [text, why] of bad) {
    assert.throws(() => fromBase64(text), new ParseError('base64', text), why)
    assert.throws(() => fromPaddedBase64(text), ParseError, why)
  }
})

test('the padded reader also refuses the other spellings', () => {
  for (const text of ['Zg', 'Zm8', '--_w', '_w==', '_w']) {
    const expected = new ParseError('padded base64 in the standard alphabet', text)
    assert.throws(() => fromPaddedBase64(text), expected)
  }
})
