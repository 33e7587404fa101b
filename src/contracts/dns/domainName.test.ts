import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParseError } from '../../primitives/errors.ts'
import { decodeDomain, encodeDomain } from './domainName.ts'

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))

test('names are encoded from the last label to the first', () => {
  const cases: Record<string, string> = {
    ton: 'ton\0',
    'alice.ton': 'ton\0alice\0',
    'sub.alice.ton.': 'ton\0alice\0sub\0',
    'ALICE.Ton': 'ton\0alice\0',
    'ü.t.me': 'me\0t\0ü\0',
    '': '',
    '.': '',
  }
  for (const [name, encoded] of Object.entries(cases)) assert.deepEqual(encodeDomain(name), bytes(encoded), name)
})

test('names that are none are refused', () => {
  const long = 'a'.repeat(126)
  for (const name of ['.ton', 'a..b', '..', 'a b', 'a\tb', 'a\0b', 'a\u00a0b', '\ud800', 'a\u007fb', long]) {
    assert.throws(() => encodeDomain(name), ParseError, JSON.stringify(name))
  }
  assert.equal(encodeDomain('a'.repeat(125)).length, 126)
})

test('encoded names, and parts of them from the front, are decoded', () => {
  assert.equal(decodeDomain(bytes('ton\0alice\0')), 'alice.ton')
  assert.equal(decodeDomain(bytes('ton\0alice')), 'alice.ton')
  assert.equal(decodeDomain(bytes('\0ton\0')), 'ton')
  assert.equal(decodeDomain(bytes('')), '')
  assert.equal(decodeDomain(new Uint8Array([0xff, 0])), undefined)
})
