import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { readTokenContent } from '../../../test/support/tokenContent.ts'
import { plainVm } from '../../../test/support/vmValues.ts'
import { openCell } from '../cell/CellReader.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { encodeBoc } from '../cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { hashName, type TokenContent, type TokenValue, writeTokenContent } from './tokenContent.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const bytes = fc.uint8Array({ maxLength: 400, size: 'max' })
const value: fc.Arbitrary<TokenValue> = fc.oneof(
  bytes.map((each): TokenValue => ({ kind: 'snake', bytes: each })),
  fc
    .uniqueArray(fc.tuple(fc.nat(0xffffffff), bytes), { maxLength: 6, selector: ([number]) => number })
    .map((pairs): TokenValue => {
      const chunks = pairs.map(([number, each]) => ({ number, bytes: each }))
      return { kind: 'chunked', chunks: chunks.sort((a, b) => a.number - b.number) }
    }),
)
const known = ['uri', 'name', 'symbol', 'decimals', 'image', 'image_data', 'render_type', 'amount_style']
const content: fc.Arbitrary<TokenContent> = fc.oneof(
  bytes.map((uri): TokenContent => ({ kind: 'offChain', uri })),
  fc
    .uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...known), fc.string()), value), {
      maxLength: 10,
      selector: ([name]) => name,
    })
    .map((named): TokenContent => {
      const attributes = named.map(([name, each]) => ({
        key: hashName(name),
        name: known.includes(name) ? name : undefined,
        value: each,
      }))
      return { kind: 'onChain', attributes: attributes.sort((a, b) => Buffer.compare(a.key, b.key)) }
    }),
)

test('reading what was written gives it back', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(content, (each) => {
      const cell = writeWhole(writeTokenContent, each)
      assert.deepEqual(plainVm(readWhole(cell, readTokenContent, 'The content')), plainVm(each))
    }),
    { seed, numRuns: 300 },
  )
})

test('spoilt contents are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  let refused = 0
  const mutant = content.chain((each) => arbitraryMutant(writeWhole(writeTokenContent, each)))
  fc.assert(
    fc.property(mutant, ({ cell }) => {
      if (!passesOrFailsCoded(() => readTokenContent(openCell(cell)))) refused++
    }),
    { seed, numRuns: 800 },
  )
  t.diagnostic(`${refused} of 800 refused`)
  assert.ok(refused > 50)
})

test('cut and damaged bytes of a content are refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(content, fc.nat(), fc.nat(255), (each, place, byte) => {
      const bag = encodeBoc([writeWhole(writeTokenContent, each)])
      const at = place % bag.length
      const changed = bag.slice()
      changed[at] = byte
      for (const damaged of [bag.subarray(0, at), changed]) {
        passesOrFailsCoded(() => readTokenContent(openCell(decodeSingleBoc(damaged))))
      }
    }),
    { seed, numRuns: 300 },
  )
})
