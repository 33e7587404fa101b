import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AugDict } from '../../src/codec/cell/AugDict.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { applyMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openMsgEnvelope } from '../../src/codec/tlb/MsgEnvelope.ts'
import {
  dispatchQueueType,
  type OutMsgQueueInfo,
  openOutMsgQueueInfo,
  outMsgQueueType,
  processedInfoType,
  writeOutMsgQueueInfo,
} from '../../src/codec/tlb/OutMsgQueueInfo.ts'
import { openShardState } from '../../src/codec/tlb/ShardState.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { Tally } from '../support/rewriteBlock.ts'

const SPLIT_STATE_TAG = 0x5f327da5

const rebuildExtra = ({ extra }: OutMsgQueueInfo): OutMsgQueueInfo['extra'] =>
  extra && {
    dispatchQueue: AugDict.of(
      dispatchQueueType,
      extra.dispatchQueue.entries().map(([account, { messages, count }]) => {
        assert.equal(messages.entries().length, count)
        return [account, { messages: Dict.of(messages.type, messages.entries()), count }]
      }),
    ),
    outQueueSize: extra.outQueueSize,
  }

/** Reads the queues of a state and builds them anew from their entries. */
const rebuildQueues = (state: Cell, tally: Tally): void => {
  const read = openShardState(state)
  assert.equal(read.kind, 'unsplit')
  if (read.kind !== 'unsplit') return
  const info = openOutMsgQueueInfo(read.outMsgQueueInfo)
  const queue = info.outQueue.entries()
  for (const [{ hash }, { outMsg }] of queue) assert.ok(openMsgEnvelope(outMsg).msg.hasHash(hash))
  if (info.extra?.outQueueSize !== undefined) assert.equal(queue.length, info.extra.outQueueSize)
  const rebuilt = writeWhole(writeOutMsgQueueInfo, {
    outQueue: AugDict.of(outMsgQueueType, queue),
    procInfo: Dict.of(processedInfoType, info.procInfo.entries()),
    extra: rebuildExtra(info),
  })
  assert.equal(toHex(rebuilt.hash()), toHex(read.outMsgQueueInfo.hash()))
  tally.add('OutMsgQueueInfo')
  tally.add('queued messages', queue.length)
  tally.add('ProcessedUpto', info.procInfo.entries().length)
  for (const [, { count }] of info.extra?.dispatchQueue.entries() ?? []) tally.add('deferred messages', count)
}

type Index = { readonly blocks: readonly { readonly file: string; readonly prev: readonly string[] }[] }

test('the queues of every localnet state are written back to the same cells', (t) => {
  const tally = new Tally()
  const states = new Map<string, Cell>([
    ['-1_8000000000000000_0', decodeSingleBoc(readFixture('localnet/config/zerostate.boc'))],
    ['0_8000000000000000_0', decodeSingleBoc(readFixture('localnet/config/basestate0.boc'))],
  ])
  const stateOf = (names: readonly string[]): Cell => {
    const [left, right] = names.map((name) => states.get(name))
    assert.ok(left !== undefined)
    if (names.length === 1) return left
    assert.ok(right !== undefined)
    return new CellWriter().writeUint(SPLIT_STATE_TAG, 32).writeRef(left).writeRef(right).toCell()
  }
  for (const { file, prev } of readFixtureJson<Index>('localnet/blocks/index.json').blocks) {
    const { stateUpdate } = openBlock(decodeSingleBoc(readFixture(`localnet/blocks/${file}`)))
    const state = applyMerkleUpdate(stateOf(prev), stateUpdate)
    states.set(file.replace('.boc', ''), state)
    rebuildQueues(state, tally)
  }
  assert.equal(tally.counts.get('OutMsgQueueInfo'), 1511)
  assert.ok((tally.counts.get('queued messages') ?? 0) > 0 && (tally.counts.get('deferred messages') ?? 0) > 0)
  t.diagnostic(String(tally))
})

test('the queues of recorded states of other networks are written back to the same cells', (t) => {
  if (!haveFixtures(t, 'mainnet/states')) return
  const tally = new Tally()
  for (const file of listFixtures('mainnet/states', '.boc')) rebuildQueues(decodeSingleBoc(readFixture(file)), tally)
  assert.ok((tally.counts.get('OutMsgQueueInfo') ?? 0) > 0)
  t.diagnostic(String(tally))
})
