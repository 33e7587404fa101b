import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderFiles } from './orderFiles.ts'

test('listed files come first, in the order of the list; the others keep theirs', () => {
  const files = ['src/a.test.js', 'src/b.test.js', 'test/c.test.js', 'test/d.test.js']
  const longest = ['test/d.test.ts', 'test/gone.test.ts', 'src/b.test.ts']
  assert.deepEqual(orderFiles(files, longest), ['test/d.test.js', 'src/b.test.js', 'src/a.test.js', 'test/c.test.js'])
})
