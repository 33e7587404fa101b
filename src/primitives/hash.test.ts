import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toBase64, toBase64Url } from './base64.ts'
import type { HashForm } from './hash.ts'
import { parseHash } from './hash.ts'
import { fromHex, toHex } from './hex.ts'
import { ParseError } from './ParseError.ts'

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
