import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CodedError, ParseError } from './errors.ts'

test('a parse error says what was expected and what came', () => {
  const error = new ParseError('64 hex digits', 'abc')
  assert.ok(error instanceof CodedError)
  assert.equal(error.name, 'ParseError')
  assert.equal(error.code, 'invalid_text')
  assert.equal(error.retryable, false)
  assert.equal(error.message, 'Expected 64 hex digits, but got "abc"')
})

test('a text of 40 characters is shown whole, a longer one is cut to 40', () => {
  assert.equal(new ParseError('x', 'a'.repeat(40)).message, `Expected x, but got "${'a'.repeat(40)}"`)
  assert.equal(new ParseError('x', 'a'.repeat(41)).message, `Expected x, but got "${'a'.repeat(39)}…"`)
  assert.equal(new ParseError('x', 'a'.repeat(1e6)).message, `Expected x, but got "${'a'.repeat(39)}…"`)
})

test('quotes, line breaks and halves of a surrogate pair are escaped', () => {
  assert.equal(new ParseError('x', 'a"\n\u0000\ud83d').message, String.raw`Expected x, but got "a\"\n\u0000\ud83d"`)
})
