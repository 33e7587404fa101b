import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { headerProof, proofOf, signOrdinary, signSimplex, stateRootProof } from '../../../test/support/chainProofs.ts'
import { type ProvableBlock, ProvableChain } from '../../../test/support/ProvableChain.ts'
import {
  verifyLookedUpHeader,
  verifyPackageProof,
  verifyState,
  verifyZerostate,
} from '../../../test/support/proofs/blockAnswers.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { wrapMerkleProof } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeSnake } from '../../codec/content/text.ts'
import { writeBlockProof } from '../../codec/tlb/BlockProof.ts'
import { type BlockSignatures, cryptoSignaturePairsType } from '../../codec/tlb/BlockSignatures.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { findShard } from '../../codec/tlb/ShardHashes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { verifyLookup, verifyRawBlock } from './blockProofs.ts'
import { verifyPackageLink } from './chainProofs.ts'
import { openMasterBlockExtra } from './ProvenHeader.ts'
import { openMasterExtra, readState } from './ProvenState.ts'
import { verifyShardBlock } from './shardProofs.ts'

const chain = new ProvableChain()
const keyBlock = chain.addMasterchainBlock(true)
const block = chain.addMasterchainBlock()
const { zerostate } = chain

test('the bytes of a block', () => {
  const data = encodeBoc([block.root], BLOCK_BOC)
  const proven = verifyRawBlock(block.id, { id: block.id, data })
  assert.deepEqual([proven.root.hash(), proven.prev[0]], [block.id.rootHash, keyBlock.id])
  assertRefused(() => verifyRawBlock(block.id, { id: keyBlock.id, data }), /should be block/)
  // The same cells in another bag are another file.
  const plain = encodeBoc([block.root])
  assertRefused(() => verifyRawBlock(block.id, { id: block.id, data: plain }), /than its file hash/)
  const otherRoot = { ...block.id, rootHash: filled(1) }
  assertRefused(() => verifyRawBlock(otherRoot, { id: otherRoot, data }), /than its root hash/)
  const otherPlace = { ...block.id, seqno: 7 }
  assertRefused(() => verifyRawBlock(otherPlace, { id: otherPlace, data }), /is that of/)
  const garbage = Uint8Array.of(1, 2, 3)
  const ofGarbage = { ...block.id, fileHash: sha256(garbage) }
  assertRefused(() => verifyRawBlock(ofGarbage, { id: ofGarbage, data: garbage }), /The proof of a block failed/)
})

test('whole states', () => {
  const answerOf = (of: ProvableBlock, state: Cell) => {
    const data = encodeBoc([state], BLOCK_BOC)
    return { id: of.id, rootHash: state.hash(), fileHash: sha256(data), data }
  }
  const zero = answerOf(zerostate, zerostate.state)
  assert.equal(verifyZerostate(zerostate.id, zero).state.seqno, 0)
  assertRefused(() => verifyZerostate(block.id, answerOf(block, block.state)), /is not a zerostate/)
  const plain = encodeBoc([zerostate.state])
  const otherFile = { ...zero, data: plain, fileHash: sha256(plain) }
  assertRefused(() => verifyZerostate(zerostate.id, otherFile), /another file hash/)

  const whole = answerOf(block, block.state)
  assert.equal(verifyState(block.id, block.state.hash(), whole).state.seqno, 2)
  assertRefused(() => verifyState(block.id, keyBlock.state.hash(), whole), /does not have the hashes/)
  assertRefused(
    () => verifyState(block.id, block.state.hash(), { ...whole, data: encodeBoc([keyBlock.state], BLOCK_BOC) }),
    /does not have the hashes/,
  )
  const other = answerOf(block, keyBlock.state)
  assertRefused(
    () => verifyState(block.id, block.state.hash(), { ...other, rootHash: block.state.hash() }),
    /is not the one after block/,
  )
})

const ALL = [0, 1, 2, 3]

/** The signatures of an answer as packages have them. */
const toPackage = (set: ReturnType<typeof signOrdinary> | ReturnType<typeof signSimplex>): BlockSignatures => {
  const signatures = Dict.of(
    cryptoSignaturePairsType,
    set.signatures.map(({ nodeIdShort, signature }, k) => [
      k,
      { nodeIdShort, signature: { kind: 'simple', signature } },
    ]),
  )
  const about = {
    validatorListHashShort: set.validatorSetHash >>> 0,
    sigCount: set.signatures.length,
    sigWeight: 5n * BigInt(set.signatures.length),
    signatures,
  }
  if (set.kind === 'liteServer.signatureSet.ordinary') {
    return { kind: 'ordinary', catchainSeqno: set.catchainSeqno, ...about }
  }
  const candidate = new CellWriter()
  writeSnake(candidate, set.candidate)
  const { sessionId, slot } = set
  return { kind: 'simplex', catchainSeqno: set.ccSeqno, ...about, sessionId, slot, candidate: candidate.toCell() }
}

const packageProof = (of: ProvableBlock, root: Cell, signatures: BlockSignatures | undefined): Uint8Array =>
  encodeBoc([writeWhole(writeBlockProof, { proofFor: of.id, root, signatures })])

test('proofs in packages', () => {
  for (const sign of [signOrdinary, signSimplex]) {
    // A key block keeps its configuration in its proof, and so says who signs the next ones.
    const first = packageProof(keyBlock, wrapMerkleProof(keyBlock.root), toPackage(sign(chain, keyBlock, ALL)))
    const { nextRules, stateHash } = verifyPackageProof(keyBlock.id, first, chain.rules)
    assert.equal(nextRules?.keyBlockSeqno, 1)
    assert.deepEqual(stateHash, keyBlock.state.hash())

    const set = toPackage(sign(chain, block, ALL))
    const bytes = packageProof(block, stateRootProof(block), set)
    const proven = verifyPackageProof(block.id, bytes, nextRules!)
    assert.deepEqual([proven.signedWeight, proven.nextRules], [20n, undefined])
    assert.deepEqual(verifyPackageLink(block.id, bytes).stateHash, block.state.hash())

    assertRefused(() => verifyPackageProof(block.id, bytes, chain.rules), /follows key block 1, not 0/)
    assertRefused(() => verifyPackageProof(keyBlock.id, bytes, chain.rules), /should be block/)
    const refuse = (change: Partial<BlockSignatures>, message: RegExp): void => {
      const lie = packageProof(block, stateRootProof(block), { ...set, ...change } as BlockSignatures)
      assertRefused(() => verifyPackageProof(block.id, lie, nextRules!), message)
    }
    refuse({ sigCount: 3 }, /says that it has 3 signatures, it has 4/)
    refuse({ sigWeight: 21n }, /weight 21 signed it, it was 20/)
    refuse({ catchainSeqno: 8 }, /other validators/)
    const moved = set.signatures.entries().map(([k, pair]) => [k + 1, pair] as const)
    refuse({ signatures: Dict.of(cryptoSignaturePairsType, moved) }, /Signature 0 of a block is missing/)
    const few = toPackage(sign(chain, block, [0, 1]))
    refuse(few, /weight 10 of 20/)
  }
  const unsigned = packageProof(block, stateRootProof(block), undefined)
  assertRefused(() => verifyPackageProof(block.id, unsigned, chain.rules), /should be signed/)
  const ofNothing = packageProof(block, wrapMerkleProof(marker(1)), undefined)
  assertRefused(() => verifyPackageLink(block.id, ofNothing), /of another cell/)
})

// Three shard blocks that one masterchain block registers at once, and two more masterchain blocks.
const lookupChain = new ProvableChain()
const [one, two, three] = [
  lookupChain.addShardBlock(),
  lookupChain.addShardBlock(),
  lookupChain.addShardBlock(),
] as const
const registering = lookupChain.addMasterchainBlock()
lookupChain.addMasterchainBlock()
const trusted = lookupChain.addMasterchainBlock()

const NO_BYTES: Uint8Array = new Uint8Array(0)
const boc = (block: ProvableBlock): Uint8Array => encodeBoc([headerProof(block)])

const firstLink = {
  id: three.id,
  proof: encodeBoc([
    proofOf(registering.root, () => findShard(openMasterBlockExtra(registering.root).shardHashes, three.id)),
  ]),
}
const links = [firstLink, { id: two.id, proof: boc(three) }, { id: one.id, proof: boc(two) }]

const registered = {
  mode: 0,
  mcBlockId: registering.id,
  clientMcStateProof: encodeBoc([stateRootProof(trusted)]),
  mcBlockProof: encodeBoc([
    proofOf(trusted.state, () => {
      const { history } = openMasterExtra(readState(trusted.state))
      openMcStateHistory(history).prevBlocks.find(registering.id.seqno)
    }),
  ]),
}

const toTwo = { ...registered, id: two.id, shardLinks: links.slice(0, 2), header: boc(two), prevHeader: NO_BYTES }
const id = { workchain: 0, shard: wholeShard, seqno: 2 }

test('by seqno, over the masterchain block that registered it', () => {
  const found = verifyLookup(trusted.id, { mode: 1, id }, toTwo)
  assert.deepEqual([found.id, found.masterchainBlock, found.prev[0]], [two.id, registering.id, one.id])
  const lies: [change: Partial<typeof toTwo>, message: RegExp][] = [
    [{ id: three.id }, /block that was looked up should be/],
    [{ shardLinks: links.slice(0, 1), id: three.id, header: boc(three) }, /does not fit the request/],
    [{ shardLinks: [links[0]!, { ...links[1]!, id: { ...two.id, fileHash: filled(1) } }] }, /does not lead to/],
    [{ shardLinks: [links[1]!] }, /of another cell/],
    [{ shardLinks: Array.from({ length: 9 }, () => firstLink) }, /at most 8 shard blocks/],
    [{ header: boc(three) }, /of another cell/],
    [{ mcBlockId: { ...registering.id, fileHash: filled(1) } }, /not among the earlier blocks/],
    [{ clientMcStateProof: encodeBoc([stateRootProof(registering)]) }, /of another cell/],
    [{ mcBlockProof: NO_BYTES }, /was not given/],
    [{ prevHeader: boc(one) }, /should be empty/],
  ]
  for (const [change, message] of lies) {
    assertRefused(() => verifyLookup(trusted.id, { mode: 1, id }, { ...toTwo, ...change }), message)
  }
})

test('by time, the block before shows that it is the first', () => {
  const answer = { ...toTwo, prevHeader: boc(one) }
  const byLt = (lt: bigint) => verifyLookup(trusted.id, { mode: 2, id, lt }, answer)
  for (const lt of [1_000_011n, 2_000_000n, 2_000_010n]) assert.deepEqual(byLt(lt).id, two.id)
  assertRefused(() => byLt(1_000_010n), /fits the request, but the answer has the next one/)
  assertRefused(() => byLt(2_000_011n), /does not fit the request/)
  const byUtime = (utime: number) => verifyLookup(trusted.id, { mode: 4, id, utime }, answer)
  // Blocks may share a second, so a node may well answer with the second one of it.
  for (const utime of [1_700_000_001, 1_700_000_002]) assert.deepEqual(byUtime(utime).id, two.id)
  assertRefused(() => byUtime(1_700_000_000), /but the answer has the next one/)
  assertRefused(() => byUtime(1_700_000_003), /does not fit the request/)
  assertRefused(
    () => verifyLookup(trusted.id, { mode: 2, id, lt: 2_000_000n }, { ...answer, prevHeader: boc(three) }),
    /of another cell/,
  )
  assertRefused(() => verifyLookup(trusted.id, { mode: 2, id, lt: 2_000_000n }, toTwo), /was not given/)
})

test('a masterchain block, the trusted one itself or one before it', () => {
  const request = { mode: 1, id: { workchain: -1, shard: wholeShard, seqno: 1 } }
  const before = { ...registered, id: registering.id, shardLinks: [], header: boc(registering), prevHeader: NO_BYTES }
  assert.deepEqual(verifyLookup(trusted.id, request, before).masterchainBlock, registering.id)
  const itself = {
    mode: 1,
    id: trusted.id,
    mcBlockId: trusted.id,
    clientMcStateProof: NO_BYTES,
    mcBlockProof: NO_BYTES,
    shardLinks: [],
    header: boc(trusted),
    prevHeader: NO_BYTES,
  }
  const aboutItself = { mode: 1, id: { ...request.id, seqno: 3 } }
  assert.deepEqual(verifyLookup(trusted.id, aboutItself, itself).id, trusted.id)
  assertRefused(
    () => verifyLookup(trusted.id, aboutItself, { ...itself, mcBlockProof: registered.mcBlockProof }),
    /should be empty/,
  )
})

test('a shard block is proven from the masterchain down', () => {
  assert.doesNotThrow(() => verifyShardBlock(registering.id, one, { masterchainId: registering.id, links }))
  assert.doesNotThrow(() => verifyShardBlock(registering.id, registering, { masterchainId: registering.id, links: [] }))
  const refuse = (asked: ProvableBlock, given: typeof links, message: RegExp): void =>
    assertRefused(
      () => verifyShardBlock(registering.id, asked, { masterchainId: registering.id, links: given }),
      message,
    )
  refuse(two, links, /end of a chain/)
  refuse(one, [], /end of a chain/)
  refuse(one, links.slice(1), /of another cell/)
  assertRefused(
    () => verifyShardBlock(registering.id, one, { masterchainId: trusted.id, links }),
    /masterchain block of a shard block/,
  )
})

test('a header alone tells as much as it can', () => {
  const answer = { id: two.id, mode: 0, headerProof: boc(two) }
  assert.deepEqual(verifyLookedUpHeader({ mode: 1, id }, answer).id, two.id)
  assert.deepEqual(verifyLookedUpHeader({ mode: 2, id, lt: 5n }, answer).id, two.id)
  assertRefused(() => verifyLookedUpHeader({ mode: 1, id: { ...id, seqno: 3 } }, answer), /does not fit/)
  assertRefused(() => verifyLookedUpHeader({ mode: 1, id: { ...id, workchain: 1 } }, answer), /not of the shard/)
  assertRefused(() => verifyLookedUpHeader({ mode: 3, id, lt: 5n }, answer), /does not fit/)
  const impossible = { ...answer, id: { ...two.id, shard: 0n } }
  assertRefused(() => verifyLookedUpHeader({ mode: 1, id }, impossible), /impossible id/)
  // State updates are asked for four bits higher than in getBlockHeader.
  assertRefused(() => verifyLookedUpHeader({ mode: 1 | 16, id }, answer), /a state hash failed/)
  const kept = { ...answer, headerProof: encodeBoc([stateRootProof(two)]) }
  assert.deepEqual(verifyLookedUpHeader({ mode: 1 | 16, id }, kept).stateHash, two.state.hash())
})
