import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { haveFixtures } from '../../../test/support/fixtures.ts'
import { arbitraryMutant } from '../../../test/support/mutateCell.ts'
import { listLocalnetUnits } from '../../../test/support/rawUnits.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { RawUnit } from '../RawUnit.ts'
import { decodeUnit } from './decodeUnit.ts'
import { BlockUndecodableError } from './errors.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** Decodes the unit with other bytes for one of its blocks; says whether they passed. */
const decodesWith = (unit: RawUnit, place: number, bytes: Uint8Array): boolean => {
  const shards = unit.shards.map((block, k) => (k + 1 === place ? { ...block, bytes } : block))
  const masterchain = place === 0 ? { ...unit.masterchain, bytes } : unit.masterchain
  try {
    decodeUnit({ ...unit, masterchain, shards })
    return true
  } catch (error) {
    assert.ok(error instanceof BlockUndecodableError, `expected a BlockUndecodableError, got ${error}`)
    const { id } = place === 0 ? masterchain : shards[place - 1]!
    assert.equal(error.block.seqno, id.seqno)
    assert.equal(error.block.workchain, id.workchain)
    return false
  }
}

/** A unit with many transactions in little space: a block with out messages, and a shard block. */
const pickUnit = (): RawUnit => {
  const units = listLocalnetUnits().filter(({ shards }) => shards.some(({ bytes }) => bytes.length > 6000))
  return units[0]!
}

test('blocks with cells that were changed', (t) => {
  if (!haveFixtures(t, 'localnet/blocks/index.json')) return
  t.diagnostic(`seed ${seed}`)
  const unit = pickUnit()
  let passed = 0
  let refused = 0
  for (const [place, { bytes }] of [unit.masterchain, ...unit.shards].entries()) {
    fc.assert(
      fc.property(arbitraryMutant(decodeSingleBoc(bytes)), ({ cell }) => {
        if (decodesWith(unit, place, encodeBoc([cell]))) passed++
        else refused++
      }),
      { seed, numRuns: 150 },
    )
  }
  t.diagnostic(`${refused} were refused, ${passed} had nothing wrong in what is read`)
  assert.ok(refused > 50 && passed > 0)
})

test('blocks with bytes that were changed or are missing', (t) => {
  if (!haveFixtures(t, 'localnet/blocks/index.json')) return
  const unit = pickUnit()
  const place = 1
  const { bytes } = unit.shards[0]!
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const spoilt = bytes.slice()
      spoilt[at]! ^= change
      decodesWith(unit, place, spoilt)
      assert.equal(decodesWith(unit, place, bytes.slice(0, at)), false)
    }),
    { seed, numRuns: 200 },
  )
})

test('a block that is another than the one it is given for', (t) => {
  if (!haveFixtures(t, 'localnet/blocks/index.json')) return
  const [first, second] = listLocalnetUnits()
  assert.equal(decodesWith(first!, 0, second!.masterchain.bytes), false)
  assert.throws(
    () => decodeUnit({ ...first!, masterchain: second!.shards[0]!, shards: [first!.masterchain] }),
    /masterchain/,
  )
})
