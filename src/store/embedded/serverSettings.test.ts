import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choosePageMemory } from './serverSettings.ts'

test('pages have a sixteenth of the memory, neither too little nor too much', () => {
  const gib = 2 ** 30
  const chosen = [1, 4, 8, 24, 32, 512].map((size) => choosePageMemory(size * gib))
  assert.deepEqual(chosen, ['256MB', '256MB', '512MB', '1536MB', '2048MB', '2048MB'])
})
