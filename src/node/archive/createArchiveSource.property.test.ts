import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodePack } from '../../../test/support/encodePack.ts'
import { blockEntry, makeSampleChain, proofEntry } from '../../../test/support/sampleChain.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { BlockNotFoundError, NodeAnswerError, NodeUnavailableError } from '../../chain/errors.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { ArchiveFolder } from './ArchiveFolder.ts'
import { createArchiveSource } from './createArchiveSource.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const steps = makeSampleChain('01s2m1')
const blocks = steps.flatMap(({ masterchain, shardBlocks }) => [masterchain, ...shardBlocks])
const pack = encodePack(blocks.flatMap((block) => [blockEntry(block), proofEntry(block, 'prooflink')]))

type Damage =
  | { readonly kind: 'byte'; readonly at: number; readonly value: number }
  | { readonly kind: 'cut' | 'remove' | 'repeat'; readonly at: number; readonly length: number }

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at: fc.nat(pack.length - 1), value: fc.nat(255) }),
  fc.record({
    kind: fc.constantFrom('cut' as const, 'remove' as const, 'repeat' as const),
    at: fc.nat(pack.length - 1),
    length: fc.nat(600),
  }),
)

const apply = (bytes: Uint8Array, change: Damage): Uint8Array => {
  const { kind, at } = change
  const before = bytes.subarray(0, at)
  if (kind === 'byte') return concatBytes([before, Uint8Array.of(change.value), bytes.subarray(at + 1)])
  if (kind === 'cut') return before
  if (kind === 'remove') return concatBytes([before, bytes.subarray(at + change.length)])
  return concatBytes([bytes.subarray(0, at + change.length), bytes.subarray(at)])
}

test('of a package with any damage only whole blocks are served, and no other error comes', async (t) => {
  let served = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 5 }), async (changes) => {
      const root = tempFolder(t)
      writeFileSync(join(root, 'archive.00000.pack'), changes.reduce(apply, pack))
      const folder = new ArchiveFolder({ location: root })
      const source = createArchiveSource(folder)
      for (const { id, bytes, proof } of blocks) {
        try {
          assert.deepEqual(await source.getRawBlock(id), bytes)
          served++
        } catch (error) {
          assert.ok(error instanceof BlockNotFoundError || error instanceof NodeAnswerError, String(error))
          refused++
        }
        try {
          const found = await folder.findProof(id)
          if (found !== undefined) assert.deepEqual(found.bytes, proof)
        } catch (error) {
          assert.ok(error instanceof NodeAnswerError, String(error))
        }
      }
      try {
        const head = await source.getHead()
        const { masterchain, shardBlocks } = steps[head.seqno - 1]!
        for (const { id, bytes } of [masterchain, ...shardBlocks]) assert.deepEqual(await source.getRawBlock(id), bytes)
      } catch (error) {
        assert.ok(error instanceof NodeUnavailableError, String(error))
      }
    }),
    { seed, numRuns: 150 },
  )
  assert.ok(served > 100 && refused > 100)
  t.diagnostic(`seed ${seed}: ${served} blocks served, ${refused} refused`)
})
