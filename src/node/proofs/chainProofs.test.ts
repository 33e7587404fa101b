import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { headerProof, linkBack, linkForward, signOrdinary, signSimplex } from '../../../test/support/chainProofs.ts'
import { type ProvableBlock, ProvableChain } from '../../../test/support/ProvableChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import type { AnyLiteServerBlockLink, AnyLiteServerSignatureSet } from '../../codec/tl/liteServerTypes.ts'
import { verifyBlockLink, verifyBlockProofChain } from './chainProofs.ts'

const ALL = [0, 1, 2, 3]
const chain = new ProvableChain()
const first = chain.addMasterchainBlock()
const keyBlock = chain.addMasterchainBlock(true)
const later = chain.addMasterchainBlock()
const { zerostate } = chain

const answerOf = (from: ProvableBlock, to: ProvableBlock, steps: readonly AnyLiteServerBlockLink[]) => ({
  complete: true,
  from: from.id,
  to: to.id,
  steps,
})

test('from the zerostate over a key block, with either kind of signatures', () => {
  for (const sign of [signOrdinary, signSimplex]) {
    const steps = [
      linkForward(zerostate, keyBlock, { signatures: sign(chain, keyBlock, ALL) }),
      linkForward(keyBlock, later, { signatures: sign(chain, later, ALL) }),
    ]
    const proven = verifyBlockProofChain(answerOf(zerostate, later, steps), zerostate.id, later.id)
    assert.deepEqual(
      proven.links.map(({ to, isKeyBlock, header }) => [to.seqno, isKeyBlock, header?.info.genUtime]),
      [
        [2, true, 1_700_000_002],
        [3, false, 1_700_000_003],
      ],
    )
    const isSessionKnown = sign === signSimplex ? true : undefined
    assert.deepEqual(proven.links[0]?.signed, { signedWeight: 20n, isSessionKnown })
    assert.deepEqual(proven.lastKeyBlock, keyBlock.id)
    assert.deepEqual([proven.to, proven.isComplete], [later.id, true])
  }
})

test('back to earlier blocks, key or not, and to the zerostate', () => {
  for (const [to, isKeyBlock] of [
    [first, false],
    [keyBlock, true],
    [zerostate, true],
  ] as const) {
    const proven = verifyBlockProofChain(answerOf(later, to, [linkBack(later, to)]), later.id, to.id)
    assert.equal(proven.links[0]?.isKeyBlock, isKeyBlock)
    assert.equal(proven.links[0]?.signed, undefined)
    assert.deepEqual(proven.lastKeyBlock, isKeyBlock ? to.id : undefined)
  }
})

test('a chain of no links leads nowhere', () => {
  const nowhere = verifyBlockProofChain(answerOf(later, later, []), later.id)
  assert.deepEqual([nowhere.to, nowhere.lastKeyBlock], [later.id, undefined])
  assertRefused(
    () => verifyBlockProofChain({ ...answerOf(later, later, []), complete: false }, later.id),
    /neither leads on nor ends/,
  )
  assertRefused(() => verifyBlockProofChain(answerOf(later, first, []), later.id), /end of a proof chain/)
  assertRefused(() => verifyBlockProofChain(answerOf(later, later, []), first.id), /start of a proof chain/)
  assertRefused(() => verifyBlockProofChain(answerOf(later, later, []), later.id, first.id), /whole proof chain/)
})

test('links must join, and not go round for ever', () => {
  const back = linkBack(later, first)
  const forward = linkForward(keyBlock, later, { signatures: signOrdinary(chain, later, ALL) })
  assertRefused(() => verifyBlockProofChain(answerOf(later, later, [back, forward]), later.id), /start of a link/)
  const round = Array.from({ length: 17 }, () => [linkBack(later, keyBlock), forward]).flat()
  assertRefused(() => verifyBlockProofChain(answerOf(later, later, round), later.id), /at most 32 links/)
})

test('two thirds of the weight are not enough', () => {
  const small = new ProvableChain({ weights: [1n, 1n, 1n] })
  const block = small.addMasterchainBlock()
  for (const sign of [signOrdinary, signSimplex]) {
    const link = (who: number[]) => linkForward(small.zerostate, block, { signatures: sign(small, block, who) })
    assertRefused(() => verifyBlockLink(link([0, 1])), /weight 2 of 3/)
    assertRefused(() => verifyBlockLink(link([])), /weight 0 of 3/)
    assert.equal(verifyBlockLink(link([2, 0, 1])).signed?.signedWeight, 3n)
  }
  const uneven = new ProvableChain({ weights: [1n, 1n, 5n, 1n] })
  const heavy = uneven.addMasterchainBlock()
  const link = linkForward(uneven.zerostate, heavy, { signatures: signOrdinary(uneven, heavy, [2, 3]) })
  assert.equal(verifyBlockLink(link).signed?.signedWeight, 6n)
})

test('signatures of strangers, twice the same, or not valid', () => {
  const link = (signatures: AnyLiteServerSignatureSet) => linkForward(zerostate, keyBlock, { signatures })
  for (const sign of [signOrdinary, signSimplex]) {
    const set = sign(chain, keyBlock, ALL)
    const [one, ...rest] = set.signatures
    const change = (signatures: typeof set.signatures) => link({ ...set, signatures } as AnyLiteServerSignatureSet)
    assertRefused(() => verifyBlockLink(change([...set.signatures, one!])), /for the second time/)
    assertRefused(() => verifyBlockLink(change([{ ...one!, nodeIdShort: filled(9) }, ...rest])), /a stranger/)
    assertRefused(() => verifyBlockLink(change([{ ...one!, signature: rest[0]!.signature }, ...rest])), /is not valid/)
    assertRefused(() => verifyBlockLink(change([{ ...one!, signature: new Uint8Array(63) }, ...rest])), /not valid/)
    assertRefused(() => verifyBlockLink(link(sign(chain, first, ALL))), /is not valid|another block/)
  }
  const set = signOrdinary(chain, keyBlock, ALL)
  assertRefused(() => verifyBlockLink(link({ ...set, catchainSeqno: 8 })), /other validators/)
  assertRefused(() => verifyBlockLink(link({ ...set, validatorSetHash: 1 })), /other validators/)
})

test('only votes to finalize this very block count', () => {
  const link = (lie: Parameters<typeof signSimplex>[3]) =>
    linkForward(zerostate, keyBlock, { signatures: signSimplex(chain, keyBlock, ALL, lie) })
  assertRefused(() => verifyBlockLink(link({ vote: 'consensus.simplex.notarizeVote' })), /is not valid/)
  assertRefused(() => verifyBlockLink(link({ voted: first.id })), /one for another block/)
  const foreign = verifyBlockLink(link({ sessionId: filled(3) }))
  assert.equal(foreign.signed?.isSessionKnown, false)
  const set = signSimplex(chain, keyBlock, ALL)
  const cut = { ...set, candidate: set.candidate.subarray(0, 100) }
  assertRefused(() => verifyBlockLink(linkForward(zerostate, keyBlock, { signatures: cut })), /proof of a vote/)
  const moved = { ...set, slot: 4 }
  assertRefused(() => verifyBlockLink(linkForward(zerostate, keyBlock, { signatures: moved })), /is not valid/)
})

test('a link forward starts at the key block before its end', () => {
  const signatures = signOrdinary(chain, later, ALL)
  assertRefused(() => verifyBlockLink(linkForward(zerostate, later, { signatures })), /follows key block 2, not 0/)
  const honest = linkForward(keyBlock, later, { signatures })
  const lies: [change: Partial<typeof honest>, message: RegExp][] = [
    [{ toKeyBlock: true }, /wrong about block/],
    [{ from: first.id }, /of another cell/],
    [{ to: { ...later.id, seqno: 4 } }, /is that of/],
    [{ to: { ...later.id, fileHash: filled(1) } }, /is not valid/],
    [{ destProof: new Uint8Array(0) }, /was not given/],
    [{ configProof: encodeBoc([headerProof(keyBlock)]) }, /pruned branch/],
    [{ from: later.id, to: keyBlock.id }, /A link forward leads from/],
    [{ to: { ...later.id, workchain: 0 } }, /not between two masterchain blocks/],
  ]
  for (const [change, message] of lies) assertRefused(() => verifyBlockLink({ ...honest, ...change }), message)
  const fromNoKeyBlock = linkForward(keyBlock, later, {
    signatures,
    from: first.id,
    configProof: encodeBoc([headerProof(first)]),
  })
  assertRefused(() => verifyBlockLink(fromNoKeyBlock), /is not one/)
})

test('a link back ends at a block of the state', () => {
  const honest = linkBack(later, first)
  const lies: [change: Partial<typeof honest>, message: RegExp][] = [
    [{ toKeyBlock: true }, /wrong about block/],
    [{ to: { ...first.id, fileHash: filled(1) } }, /not among the earlier blocks/],
    [{ to: keyBlock.id }, /wrong about block/],
    [{ from: keyBlock.id }, /of another cell/],
    [{ from: first.id, to: later.id }, /A link back leads from/],
    [{ stateProof: honest.proof }, /of another cell/],
    [{ destProof: encodeBoc([headerProof(keyBlock)]) }, /of another cell/],
  ]
  for (const [change, message] of lies) assertRefused(() => verifyBlockLink({ ...honest, ...change }), message)
  const toZerostate = linkBack(later, zerostate, { destProof: honest.destProof })
  assertRefused(() => verifyBlockLink(toZerostate), /should be empty/)
})

test('shuffled masterchain validators are found by the same order', () => {
  const shuffled = new ProvableChain({ weights: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n], shuffle: true })
  const block = shuffled.addMasterchainBlock()
  const signatures = signSimplex(shuffled, block, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  const { signed } = verifyBlockLink(linkForward(shuffled.zerostate, block, { signatures }))
  assert.deepEqual(signed, { signedWeight: 54n, isSessionKnown: true })
})
