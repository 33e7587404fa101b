import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { Cell } from '../cell/Cell.ts'
import { Dict } from '../cell/Dict.ts'
import { wrapMerkleProof } from '../cell/merkle.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { openBlockProof, writeBlockProof } from './BlockProof.ts'
import { type BlockSignatures, cryptoSignaturePairsType } from './BlockSignatures.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const proofFor = { workchain: 0, shard: wholeShard, seqno: 7, rootHash: filled(1), fileHash: filled(2) }
const pair = { nodeIdShort: filled(3), signature: { kind: 'simple', signature: new Uint8Array(64) } } as const
const signatures: BlockSignatures = {
  kind: 'simplex',
  validatorListHashShort: 1,
  catchainSeqno: 2,
  sigCount: 2,
  sigWeight: 3n,
  signatures: Dict.of(cryptoSignaturePairsType, [
    [0, pair],
    [1, pair],
  ]),
  sessionId: filled(4),
  slot: 5,
  candidate: marker(6),
}
const proofOf = (id: number): Cell => wrapMerkleProof(marker(id))

const readProof = (cell: Cell): void => {
  const proof = openBlockProof(cell)
  assert.deepEqual(toPlain(openBlockProof(writeWhole(writeBlockProof, proof))), toPlain(proof))
}

const samples: [string, Cell, (cell: Cell) => void][] = [
  ['BlockProof', writeWhole(writeBlockProof, { proofFor, root: proofOf(1), signatures }), readProof],
]

for (const [name, sample, read] of samples) {
  test(`a spoilt ${name} is read or refused with one of our errors`, (t) => {
    t.diagnostic(`seed ${seed}`)
    read(sample)
    let passed = 0
    let refused = 0
    fc.assert(
      fc.property(arbitraryMutant(sample), ({ cell }) => {
        if (passesOrFailsCoded(() => read(cell))) passed++
        else refused++
      }),
      { seed, numRuns: 1000 },
    )
    t.diagnostic(`${passed} were read, ${refused} refused`)
    assert(passed > 100 && refused > 100)
  })
}
