import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnReader } from './readValue.ts'
import { findRowReader, type NamedColumn } from './rowReader.ts'

const column = (name: string, type: number): NamedColumn => ({ name, type, read: columnReader(type).read })

const [INT4, TEXT] = [23, 25]

// Two bytes that count the columns; of each its length and its bytes, or -1 and none.
const row = Buffer.from('ffff000300000004fffffffe00000002' + '6869' + 'ffffffff', 'hex')

test('the values of a row by their names, whatever these are', () => {
  const read = findRowReader([column('a "b\\', INT4), column('value0', TEXT), column('', TEXT)])
  assert.deepEqual(read(row, 2), { 'a "b\\': -2, value0: 'hi', '': null })
})

test('columns that agree in names and types are read by the same', () => {
  const read = findRowReader([column('a', INT4), column('b', TEXT)])
  assert.equal(findRowReader([column('a', INT4), column('b', TEXT)]), read)
  assert.notEqual(findRowReader([column('a', INT4), column('b', INT4)]), read)
  assert.notEqual(findRowReader([column('a', INT4), column('c', TEXT)]), read)
})

test('of two columns with one name the last counts', () => {
  assert.deepEqual(findRowReader([column('a', INT4), column('a', TEXT)])(row, 2), { a: 'hi' })
})
