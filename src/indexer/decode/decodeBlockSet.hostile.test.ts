import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryMutant } from '../../../test/support/mutateCell.ts'
import { listLocalnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { RawBlockSet } from '../blockSets.ts'
import { decodeBlockSet } from './decodeBlockSet.ts'
import { BlockUndecodableError } from './findTransactions.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** Decodes the block set with other bytes for one of its blocks; says whether they passed. */
const decodesWith = (blockSet: RawBlockSet, place: number, bytes: Uint8Array): boolean => {
  const shards = blockSet.shards.map((block, k) => (k + 1 === place ? { ...block, bytes } : block))
  const masterchain = place === 0 ? { ...blockSet.masterchain, bytes } : blockSet.masterchain
  try {
    decodeBlockSet({ ...blockSet, masterchain, shards })
    return true
  } catch (error) {
    assert.ok(error instanceof BlockUndecodableError, `expected a BlockUndecodableError, got ${error}`)
    const { id } = place === 0 ? masterchain : shards[place - 1]!
    assert.equal(error.block.seqno, id.seqno)
    assert.equal(error.block.workchain, id.workchain)
    return false
  }
}

/** The bag of a changed block; there is none where the change is in its Merkle update, which no bag may hold wrong. */
const findBag = (cell: Cell): Uint8Array | undefined => {
  try {
    return encodeBoc([cell])
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** A small block set whose shard block has transactions that send messages. */
const pickBlockSet = (): RawBlockSet =>
  listLocalnetBlockSets().find((blockSet) => {
    const { blocks, messages } = decodeBlockSet({ ...blockSet, shards: blockSet.shards.slice(0, 1) })
    return (blocks[1]?.tx_count ?? 0) > 3 && messages.count > 3
  })!

test('blocks with cells that were changed', (t) => {
  t.diagnostic(`seed ${seed}`)
  const blockSet = pickBlockSet()
  let passed = 0
  let refused = 0
  for (const [place, { bytes }] of [blockSet.masterchain, blockSet.shards[0]!].entries()) {
    fc.assert(
      fc.property(arbitraryMutant(decodeSingleBoc(bytes)), ({ cell }) => {
        const changed = findBag(cell)
        if (changed === undefined) return
        if (decodesWith(blockSet, place, changed)) passed++
        else refused++
      }),
      { seed, numRuns: 120 },
    )
  }
  t.diagnostic(`${refused} were refused, ${passed} had nothing wrong in what is read`)
  assert.ok(refused > 20 && passed > 0)
})

test('blocks with bytes that were changed or are missing', () => {
  const blockSet = pickBlockSet()
  const place = 1
  // Without its checksum, which would be all that is looked at.
  const bytes = encodeBoc([decodeSingleBoc(blockSet.shards[0]!.bytes)])
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const spoilt = bytes.slice()
      spoilt[at]! ^= change
      decodesWith(blockSet, place, spoilt)
      assert.equal(decodesWith(blockSet, place, bytes.slice(0, at)), false)
    }),
    { seed, numRuns: 400 },
  )
})

test('a block that is another than the one it is given for', () => {
  const [first, second] = listLocalnetBlockSets()
  assert.equal(decodesWith(first!, 0, second!.masterchain.bytes), false)
  assert.throws(
    () => decodeBlockSet({ ...first!, masterchain: second!.shards[0]!, shards: [first!.masterchain] }),
    /masterchain/,
  )
})
