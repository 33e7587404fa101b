import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrapText } from './wrapText.ts'

test('breaks at blanks, and leaves a word that is too long whole', () => {
  assert.equal(wrapText('aa bb cc dd', 5), 'aa bb\ncc dd')
  assert.equal(wrapText('aa bbbbbbbb cc', 5), 'aa\nbbbbbbbb\ncc')
  assert.equal(wrapText('aa', 1), 'aa')
  assert.equal(wrapText('', 5), '')
})
