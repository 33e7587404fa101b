import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { headerProof, proofOf, stateRootProof } from '../../../test/support/chainProofs.ts'
import { type ProvableBlock, ProvableChain } from '../../../test/support/ProvableChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { findShard } from '../../codec/tlb/ShardHashes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { openMasterBlockExtra } from './masterBlockExtra.ts'
import { openMasterExtra, readState } from './ProvenState.ts'
import { verifyLookedUpHeader } from './verifyBlockHeader.ts'
import { verifyLookup } from './verifyLookup.ts'
import { verifyShardBlock } from './verifyShardBlock.ts'

// Three shard blocks that one masterchain block registers at once, and two more masterchain blocks.
const chain = new ProvableChain()
const [one, two, three] = [chain.addShardBlock(), chain.addShardBlock(), chain.addShardBlock()] as const
const registering = chain.addMasterchainBlock()
chain.addMasterchainBlock()
const trusted = chain.addMasterchainBlock()

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
    [{ shardLinks: links.slice(0, 1), id: three.id, header: boc(three) }, /does not fit the question/],
    [{ shardLinks: [links[0]!, { ...links[1]!, id: { ...two.id, fileHash: filled(1) } }] }, /does not lead to/],
    [{ shardLinks: [links[1]!] }, /of another cell/],
    [{ shardLinks: Array.from({ length: 9 }, () => firstLink) }, /at most 8 links/],
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
  assertRefused(() => byLt(1_000_010n), /fits the question, but the one after it came/)
  assertRefused(() => byLt(2_000_011n), /does not fit the question/)
  const byUtime = (utime: number) => verifyLookup(trusted.id, { mode: 4, id, utime }, answer)
  // Blocks may share a second, so a node may well answer with the second one of it.
  for (const utime of [1_700_000_001, 1_700_000_002]) assert.deepEqual(byUtime(utime).id, two.id)
  assertRefused(() => byUtime(1_700_000_000), /but the one after it came/)
  assertRefused(() => byUtime(1_700_000_003), /does not fit the question/)
  assertRefused(
    () => verifyLookup(trusted.id, { mode: 2, id, lt: 2_000_000n }, { ...answer, prevHeader: boc(three) }),
    /of another cell/,
  )
  assertRefused(() => verifyLookup(trusted.id, { mode: 2, id, lt: 2_000_000n }, toTwo), /was not given/)
})

test('a masterchain block, the trusted one itself or one before it', () => {
  const question = { mode: 1, id: { workchain: -1, shard: wholeShard, seqno: 1 } }
  const before = { ...registered, id: registering.id, shardLinks: [], header: boc(registering), prevHeader: NO_BYTES }
  assert.deepEqual(verifyLookup(trusted.id, question, before).masterchainBlock, registering.id)
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
  const aboutItself = { mode: 1, id: { ...question.id, seqno: 3 } }
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
