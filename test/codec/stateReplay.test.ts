import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { applyMerkleUpdate, readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo, openPrevRef } from '../../src/codec/tlb/BlockInfo.ts'
import { openMcBlockExtra } from '../../src/codec/tlb/McBlockExtra.ts'
import { openShardState, writeShardState } from '../../src/codec/tlb/ShardState.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { packEntries } from '../support/packEntries.ts'
import { Tally } from '../support/rewriteBlock.ts'
import { type RewrittenState, rewriteState } from '../support/rewriteState.ts'
import { toPlain } from '../support/toPlain.ts'

type LoadedBlock = { readonly root: Cell; readonly stateUpdate: Cell; readonly extra: Cell; readonly info: BlockInfo }

const loadBlock = (bytes: Uint8Array): LoadedBlock => {
  const root = decodeSingleBoc(bytes)
  const { info, stateUpdate, extra } = openBlock(root)
  return { root, stateUpdate, extra, info: openBlockInfo(info) }
}

const checkAgainstBlock = (after: RewrittenState, { info, extra, root }: LoadedBlock): void => {
  const { state, totals, history } = after
  assert.deepEqual(
    [state.shard.workchain, state.shard.shard, state.seqno, state.vertSeqno, state.genUtime, state.genLt],
    [info.workchain, info.shard, info.seqno, info.vertSeqno, info.genUtime, info.endLt],
  )
  assert.deepEqual([state.minRefMcSeqno, state.beforeSplit], [info.minRefMcSeqno, info.beforeSplit])
  assert.equal(state.isShardEndWritten, false)
  assert.deepEqual(totals.masterRef, info.masterRef)
  if (history === undefined || after.extra === undefined) return
  const [prev] = openPrevRef(info)
  const { custom } = openBlockExtra(extra)
  assert(custom !== undefined)
  assert.deepEqual(history.prevBlocks.find(info.seqno - 1)?.block, prev, `The state of block ${toHex(root.hash())}`)
  assert.equal(history.prevBlocks.find(info.seqno), undefined)
  assert.equal(history.lastKeyBlock?.seqno, info.prevKeyBlockSeqno)
  assert.equal(history.afterKeyBlock, info.keyBlock)
  assert.deepEqual(toPlain(after.extra.shardHashes), toPlain(openMcBlockExtra(custom).shardHashes))
}

/** Applies every block to the state before it, and reads and writes back each state in full. */
const replay = (zerostates: readonly Cell[], blocks: LoadedBlock[], tally: Tally): void => {
  // Of a zerostate, the hash that names the block before the first is that of the state itself.
  const states = new Map(zerostates.map((state) => [toHex(state.hash()), state]))
  const stateBefore = (info: BlockInfo): Cell => {
    const [left, right] = openPrevRef(info).map(({ rootHash }) => {
      const state = states.get(toHex(rootHash))
      assert(state !== undefined, `The state before ${info.workchain}:${info.shard}:${info.seqno} is not known.`)
      return state
    })
    if (right === undefined) return left!
    const split = writeWhole(writeShardState, { kind: 'split', left: left!, right })
    assert.deepEqual(toPlain(openShardState(split)), toPlain({ kind: 'split', left, right }))
    tally.add('merge')
    return split
  }
  for (const block of blocks.sort((a, b) => a.info.seqno - b.info.seqno)) {
    const { info, stateUpdate, root } = block
    const next = applyMerkleUpdate(stateBefore(info), stateUpdate)
    assert.equal(toHex(next.hash()), toHex(readMerkleUpdate(stateUpdate).after.hash(0)))
    states.set(toHex(root.hash()), next)
    checkAgainstBlock(rewriteState(next, tally), block)
    if (info.afterSplit) tally.add('first block after a split')
    tally.add(info.workchain === -1 ? 'masterchain block' : 'basechain block')
  }
}

test('the local network is replayed from its zerostates through two splits and a merge', (t) => {
  const tally = new Tally()
  const { blocks } = readFixtureJson<{ readonly blocks: { file: string; root_hash: string }[] }>(
    'localnet/blocks/index.json',
  )
  const zerostates = ['zerostate', 'basestate0'].map((name) =>
    decodeSingleBoc(readFixture(`localnet/config/${name}.boc`)),
  )
  const loaded = blocks.map(({ file, root_hash }) => {
    const block = loadBlock(readFixture(`localnet/blocks/${file}`))
    assert.equal(toHex(block.root.hash()), root_hash)
    return block
  })
  replay(zerostates, loaded, tally)
  t.diagnostic(tally.toString())
  const counts = ['masterchain block', 'basechain block', 'first block after a split', 'merge', 'ShardState']
  assert.deepEqual(
    counts.map((what) => tally.counts.get(what)),
    [400, 1111, 4, 1, 1511],
  )
})

test('the first blocks of the main network are replayed from its zerostates', (t) => {
  if (!haveFixtures(t, 'mainnet/archives') || !haveFixtures(t, 'mainnet/states')) return
  const tally = new Tally()
  const blocks = listFixtures('mainnet/archives/mainnet', '.pack').flatMap((file) =>
    [...packEntries(readFixture(file))]
      .filter(({ name }) => name.startsWith('block_'))
      .map(({ data }) => loadBlock(data)),
  )
  const zerostates = [-1, 0].map((workchain) =>
    decodeSingleBoc(readFixture(`mainnet/states/mainnet/zerostate_${workchain}.boc`)),
  )
  replay(zerostates, blocks, tally)
  t.diagnostic(tally.toString())
  assert.deepEqual([tally.counts.get('masterchain block'), tally.counts.get('basechain block')], [99, 200])
})

test('recorded states follow from each other by the blocks between them', (t) => {
  if (!haveFixtures(t, 'mainnet/blocks') || !haveFixtures(t, 'mainnet/states')) return
  const read = (kind: string, seqno: number): Uint8Array =>
    readFixture(`mainnet/${kind}/mainnet/-1_8000000000000000_${seqno}.boc`)
  for (const seqno of [2660, 2661]) {
    const old = decodeSingleBoc(read('states', seqno - 1))
    const next = applyMerkleUpdate(old, loadBlock(read('blocks', seqno)).stateUpdate)
    assert.equal(toHex(next.hash()), toHex(decodeSingleBoc(read('states', seqno)).hash()))
  }
})
