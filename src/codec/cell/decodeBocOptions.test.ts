import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branch, decodes, flip, full, leaf, proof, replaceCell } from '../../../test/support/bocSamples.ts'
import { assembleBag, rawCells } from '../../../test/support/RawBag.ts'
import { listCells, ordinary, prunedBranch } from '../../../test/support/referenceCell.ts'
import { decodeBoc } from './decodeBoc.ts'
import { BocError, ProofError } from './errors.ts'

const one = rawCells([leaf])
const proofBag = rawCells([proof])
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)

test('wrong level masks are taken leniently, and the hashes are those of the true masks', () => {
  const order = listCells(full)
  const { cells, roots } = rawCells([full])
  for (let k = 0; k < cells.length; k++) {
    for (let mask = 1; mask <= 7; mask++) {
      const bag = replaceCell({ cells, roots }, k, { d1: cells[k]!.d1 ^ (mask << 5) })
      assert.throws(() => decodeBoc(assembleBag(bag)), /BocError: Cell \d+ of the bag .* level mask/)
      decodes(bag, [order[0]!], { lenient: true })
    }
  }
})

test('leniency does not extend to anything else', () => {
  assert.throws(() => decodeBoc(assembleBag({ ...one, crc: true, wrongCrc: true }), { lenient: true }), BocError)
  assert.throws(() => decodeBoc(assembleBag({ ...one, trailing: bytes(0) }), { lenient: true }), BocError)
  assert.throws(() => decodeBoc(assembleBag(rawCells([branch])), { lenient: true }), BocError)
  const bad = replaceCell(proofBag, 0, { data: flip(proofBag.cells[0]!.data, 1) })
  assert.throws(() => decodeBoc(assembleBag(bad), { lenient: true }), ProofError)
})

test('bytes after a bag without a checksum may be allowed', () => {
  decodes({ ...one, trailing: bytes(1, 2, 3) }, [leaf], { allowTrailing: true })
})

test('parts of proofs may be asked for', () => {
  for (const root of [
    branch,
    ordinary('1', [branch]),
    prunedBranch(
      7,
      ['01', '02', '03'].map((b) => b.repeat(32)),
      [1, 2, 3],
    ),
  ]) {
    decodes(rawCells([root]), [root], { allowPrunedRoots: true })
  }
})

test('a checksum that nobody wants to be looked at', () => {
  const bag = assembleBag({ ...one, crc: true, wrongCrc: true })
  assert.throws(() => decodeBoc(bag, { trusted: true }), BocError)
  assert.equal(decodeBoc(bag, { skipChecksum: true }).length, 1)
})
