import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractText } from '../../../../test/support/contractText.ts'
import { decoderFor, instructions, NEWEST_VERSION } from './table.ts'

type PublishedRow = {
  readonly m: string
  readonly range: readonly string[]
  readonly bits: number
  readonly gas: number
  readonly since: number
  readonly cat: string
}

test('every opcode is that of the published table, with its price and first version', (t) => {
  const text = contractText(t, 'tvm/instructions.json')
  if (text === undefined) return
  const { instructions: rows, invalidRanges } = JSON.parse(text) as {
    instructions: readonly PublishedRow[]
    invalidRanges: readonly string[]
  }
  const newest = decoderFor(NEWEST_VERSION)
  const ends = (range: string): number[] => range.split('-').map((word) => Number.parseInt(word, 16))
  for (const { m, range, bits, gas, since: published } of rows) {
    // Divisions with a summand are part of an older range: before version 4 they fail at their full price.
    const since = /ADD(DIV|RSHIFT)/.test(m) ? 0 : published
    for (const word of range.flatMap(ends)) {
      const found = newest.find(word)
      assert.ok(found !== undefined, `${m} at ${word.toString(16)} is unknown`)
      assert.deepEqual({ bits: found.bits, gas: found.gas, since: found.since }, { bits, gas, since }, m)
      if (since > 0) assert.equal(decoderFor(since - 1).find(word), undefined, `${m} before version ${since}`)
    }
  }
  for (const word of invalidRanges.flatMap(ends)) assert.equal(newest.find(word), undefined, word.toString(16))
})

test('no two instructions share an opcode, and all have a name', () => {
  // The decoder refuses shared opcodes.
  for (let version = 0; version <= NEWEST_VERSION; version++) decoderFor(version)
  assert.ok(instructions.every(({ name }) => name !== ''))
})
