import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDecimal, writeCsv } from './csv.ts'

test('cells are quoted where they have to be, and no cell is a formula', () => {
  assert.equal(
    writeCsv([
      ['a', 1, undefined],
      ['x,y', 'say "hi"', 'two\nlines'],
    ]),
    'a,1,\r\n"x,y","say ""hi""","two\nlines"\r\n',
  )
  assert.equal(writeCsv([['=1+1', '-5.25', '+x', '@y', '-5x']]), "'=1+1,-5.25,'+x,'@y,'-5x\r\n")
})

test('amounts are plain decimal numbers', () => {
  assert.equal(formatDecimal('1500000000', 9), '1.5')
  assert.equal(formatDecimal(-1n, 9), '-0.000000001')
  assert.equal(formatDecimal('0', 6), '0')
  assert.equal(formatDecimal('42', 0), '42')
})
