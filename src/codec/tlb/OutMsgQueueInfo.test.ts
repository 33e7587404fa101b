import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { amount, envelopeCell, filled, internalMessage } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { AugDict } from '../cell/AugDict.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import {
  type AccountDispatchQueue,
  dispatchedMessagesType,
  dispatchQueueType,
  type EnqueuedMsg,
  type OutMsgQueueInfo,
  type OutMsgQueueKey,
  openOutMsgQueueInfo,
  outMsgQueueType,
  processedInfoType,
  writeOutMsgQueueInfo,
} from './OutMsgQueueInfo.ts'

const queued = (createdLt: bigint, emittedLt?: bigint): readonly [OutMsgQueueKey, EnqueuedMsg] => {
  const msg = internalMessage({ value: amount(1n), createdLt })
  const key = { workchain: -1, prefix: 0x8000_0000_0000_0000n, hash: msg.hash() }
  return [key, { enqueuedLt: emittedLt ?? createdLt, outMsg: envelopeCell(msg, { version: 2, emittedLt }) }]
}

const dispatched = (...lts: readonly bigint[]): AccountDispatchQueue => ({
  messages: Dict.of(
    dispatchedMessagesType,
    lts.map((lt) => [lt, queued(lt)[1]]),
  ),
  count: lts.length,
})

const entries = [queued(500n), queued(100n, 700n), queued(600n)]

const info: OutMsgQueueInfo = {
  outQueue: AugDict.of(outMsgQueueType, entries),
  procInfo: Dict.of(processedInfoType, [
    [
      { shard: 0x8000_0000_0000_0000n, mcSeqno: 9 },
      { lastMsgLt: 400n, lastMsgHash: filled(0xff) },
    ],
    [
      { shard: 0x4000_0000_0000_0000n, mcSeqno: 0xffff_ffff },
      { lastMsgLt: 300n, lastMsgHash: filled(1) },
    ],
  ]),
  extra: {
    dispatchQueue: AugDict.of(dispatchQueueType, [
      [filled(1), dispatched(850n)],
      [filled(2), dispatched(900n, 800n)],
    ]),
    outQueueSize: 3,
  },
}

test('queues are read as they were written', () => {
  for (const value of [
    info,
    { ...info, extra: undefined },
    { ...info, extra: { dispatchQueue: AugDict.of(dispatchQueueType), outQueueSize: undefined } },
  ]) {
    assert.deepEqual(toPlain(openOutMsgQueueInfo(writeWhole(writeOutMsgQueueInfo, value))), toPlain(value))
  }
})

test('empty queues are laid out as in the schema', () => {
  const empty: OutMsgQueueInfo = {
    outQueue: AugDict.of(outMsgQueueType),
    procInfo: new Dict(processedInfoType),
    extra: { dispatchQueue: AugDict.of(dispatchQueueType), outQueueSize: 5 },
  }
  const head = () => beginCell().storeBit(0).storeUint(0, 64).storeBit(0)
  const core = head().storeBit(1).storeUint(0, 4).storeBit(0).storeUint(0, 64).storeBit(1).storeUint(5, 48).endCell()
  assert.equal(toHex(writeWhole(writeOutMsgQueueInfo, empty).hash()), core.hash().toString('hex'))
  const plain = head().storeBit(0).endCell()
  assert.equal(
    toHex(writeWhole(writeOutMsgQueueInfo, { ...empty, extra: undefined }).hash()),
    plain.hash().toString('hex'),
  )
})

test('a queue is known by the least logical time in it, where being emitted counts over being created', () => {
  assert.equal(info.outQueue.rootExtra, 500n)
  assert.equal(info.outQueue.delete(entries[0]![0]).rootExtra, 600n)
  assert.equal(info.outQueue.delete(entries[0]![0]).delete(entries[2]![0]).rootExtra, 700n)
  const dispatchQueue = info.extra!.dispatchQueue
  assert.equal(dispatchQueue.rootExtra, 800n)
  assert.equal(dispatchQueue.findLeaf(filled(1))?.extra, 850n)
  assert.equal(dispatchQueue.set(filled(3), dispatched()).findLeaf(filled(3))?.extra, 2n ** 64n - 1n)
})

test('keys are the next hop and the hash, and the shard and the masterchain block', () => {
  const hash = filled(0xab)
  const key = outMsgQueueType.key.encode({ workchain: -1, prefix: 1n, hash })
  assert.equal(toHex(key), `ffffffff0000000000000001${'ab'.repeat(32)}`)
  assert.deepEqual(outMsgQueueType.key.decode(key), { workchain: -1, prefix: 1n, hash })
  const processed = processedInfoType.key.encode({ shard: 0xc000_0000_0000_0000n, mcSeqno: 0x0102_0304 })
  assert.equal(toHex(processed), 'c00000000000000001020304')
  assert.deepEqual(processedInfoType.key.decode(processed), { shard: 0xc000_0000_0000_0000n, mcSeqno: 0x0102_0304 })
  assert.throws(() => outMsgQueueType.key.encode({ workchain: 0, prefix: -1n, hash }), CellError)
  assert.throws(() => processedInfoType.key.encode({ shard: 1n << 63n, mcSeqno: 2 ** 32 }), CellError)
})
