import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, type Builder, beginCell } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import {
  address,
  amount,
  envelope,
  externalMessage,
  internalMessage,
  marker,
} from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import {
  envelopeValue,
  type IntermediateAddress,
  type MsgEnvelope,
  type MsgMetadata,
  openMsgEnvelope,
  writeMsgEnvelope,
} from './MsgEnvelope.ts'

const msg = marker(7)
const coreMsg = toCoreCell(msg)
const metadata: MsgMetadata = { depth: 3, initiatorAddr: address(-1, 0x77), initiatorLt: 2n ** 63n }

const check = (value: MsgEnvelope, core: Builder): void => {
  const cell = writeWhole(writeMsgEnvelope, value)
  assert.equal(toHex(cell.hash()), core.endCell().hash().toString('hex'))
  assert.deepEqual(toPlain(openMsgEnvelope(cell)), toPlain(value))
}

const regular = (b: Builder, bits: number): Builder => b.storeBit(0).storeUint(bits, 7)
const coreHead = (tag: number): Builder => regular(regular(beginCell().storeUint(tag, 4), 28), 32).storeCoins(66_667)
const head: Partial<MsgEnvelope> = {
  curAddr: { kind: 'regular', useDestBits: 28 },
  nextAddr: { kind: 'regular', useDestBits: 32 },
  fwdFeeRemaining: 66_667n,
}

test('the first version is the message and its way', () => {
  check(envelope(msg, head), coreHead(4).storeRef(coreMsg))
})

test('the second version adds when the message was emitted and where it comes from', () => {
  const coreMetadata = (b: Builder): Builder =>
    b
      .storeUint(0, 4)
      .storeUint(3, 32)
      .storeAddress(new Address(-1, Buffer.alloc(32, 0x77)))
      .storeUint(2n ** 63n, 64)
  const v2: Partial<MsgEnvelope> = { ...head, version: 2 }
  check(envelope(msg, v2), coreHead(5).storeRef(coreMsg).storeBit(0).storeBit(0))
  check(envelope(msg, { ...v2, emittedLt: 9n }), coreHead(5).storeRef(coreMsg).storeBit(1).storeUint(9, 64).storeBit(0))
  check(envelope(msg, { ...v2, metadata }), coreMetadata(coreHead(5).storeRef(coreMsg).storeBit(0).storeBit(1)))
  const both = coreHead(5).storeRef(coreMsg).storeBit(1).storeUint(9, 64).storeBit(1)
  check(envelope(msg, { ...v2, emittedLt: 9n, metadata }), coreMetadata(both))
})

test('addresses on the way may be spelled out', () => {
  const curAddr: IntermediateAddress = { kind: 'simple', workchain: -1, prefix: 0x8000_0000_0000_0001n }
  const nextAddr: IntermediateAddress = { kind: 'extended', workchain: -1000, prefix: 5n }
  const core = beginCell().storeUint(4, 4)
  core.storeUint(0b10, 2).storeInt(-1, 8).storeUint(0x8000_0000_0000_0001n, 64)
  core.storeUint(0b11, 2).storeInt(-1000, 32).storeUint(5, 64)
  check(envelope(msg, { curAddr, nextAddr }), core.storeCoins(0).storeRef(coreMsg))
})

test('what no envelope may hold is refused', () => {
  const open = (core: Builder) => openMsgEnvelope(fromCoreCell(core.endCell()))
  assert.throws(
    () => open(coreHead(6).storeRef(coreMsg)),
    new CellError('A MsgEnvelope starts with #4 or #5, but got #6.'),
  )
  assert.throws(() => open(coreHead(4).storeRef(coreMsg).storeBit(0)), CellError)
  const far = regular(regular(beginCell().storeUint(4, 4), 97), 96)
    .storeCoins(0)
    .storeRef(coreMsg)
  assert.throws(() => open(far), CellError)
  const write = (more: Partial<MsgEnvelope>) => writeWhole(writeMsgEnvelope, envelope(msg, more))
  assert.throws(() => write({ emittedLt: 0n }), CellError)
  assert.throws(() => write({ metadata }), CellError)
  assert.throws(() => write({ curAddr: { kind: 'regular', useDestBits: 97 } }), CellError)
})

test('an envelope moves the value of its message and the fees that remain', () => {
  const inner = internalMessage({ value: amount(1_000n, [[239, 5n]]), extraFlags: 3n, fwdFee: 40n })
  const value = envelope(inner, { fwdFeeRemaining: 20n })
  const current = envelopeValue(value, { ihrFeeCounts: false })
  assert.deepEqual([current.grams, current.extra.entries()], [1_020n, [[239, 5n]]])
  assert.equal(envelopeValue(value, { ihrFeeCounts: true }).grams, 1_023n)
  assert.throws(
    () => envelopeValue(envelope(externalMessage()), { ihrFeeCounts: false }),
    new CellError('Expected an internal message in an envelope, but got one of kind externalIn.'),
  )
})
