import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { openRaw } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { type InMsg, openInMsg, writeInMsg } from './InMsg.ts'

const [a, b, c] = [marker(1), marker(2), marker(3)]

/** Amounts of one byte: a length of 1, then the byte. */
const coins = { fwdFee: '0001 00000101', ihrFee: '0001 00000110', transitFee: '0001 00000111' }
const transactionId = '1'.padStart(64, '0')

const cases: readonly (readonly [bits: string, refs: readonly number[], msg: InMsg])[] = [
  ['000', [1, 2], { kind: 'external', msg: a, transaction: b }],
  [`00100 ${coins.fwdFee}`, [1, 2], { kind: 'deferredFinal', inMsg: a, transaction: b, fwdFee: 5n }],
  ['00101', [1, 2], { kind: 'deferredTransit', inMsg: a, outMsg: b }],
  [`010 ${coins.ihrFee}`, [1, 2, 3], { kind: 'ihr', msg: a, transaction: b, ihrFee: 6n, proofCreated: c }],
  [`011 ${coins.fwdFee}`, [1, 2], { kind: 'immediate', inMsg: a, transaction: b, fwdFee: 5n }],
  [`100 ${coins.fwdFee}`, [1, 2], { kind: 'final', inMsg: a, transaction: b, fwdFee: 5n }],
  [`101 ${coins.transitFee}`, [1, 2], { kind: 'transit', inMsg: a, outMsg: b, transitFee: 7n }],
  [`110 ${transactionId} ${coins.fwdFee}`, [1], { kind: 'discardedFinal', inMsg: a, transactionId: 1n, fwdFee: 5n }],
  [
    `111 ${transactionId} ${coins.fwdFee}`,
    [1, 2],
    { kind: 'discardedTransit', inMsg: a, transactionId: 1n, fwdFee: 5n, proofDelivered: b },
  ],
]

test('every kind of incoming message is laid out as in the schema', () => {
  for (const [bits, refs, msg] of cases) {
    const cell = writeWhole(writeInMsg, msg)
    const r = openRaw(cell)
    const written = Array.from({ length: cell.bits }, () => (r.readBit() ? '1' : '0')).join('')
    assert.equal(written, bits.replaceAll(' ', ''), msg.kind)
    assert.deepEqual(
      refs.map((id, k) => cell.ref(k).equals(marker(id))),
      refs.map(() => true),
    )
    assert.equal(cell.refCount, refs.length)
    assert.deepEqual(toPlain(openInMsg(cell)), toPlain(msg))
  }
})

test('tags that nobody uses and messages cut short are refused', () => {
  for (const tag of ['10', '11']) {
    const w = new CellWriter().writeUint(0b001, 3).writeUint(Number.parseInt(tag, 2), 2).writeRef(a).writeRef(b)
    assert.throws(
      () => openInMsg(w.toCell()),
      new CellError(`An InMsg of a deferred message starts with $00100 or $00101, $001${tag} came.`),
    )
  }
  for (const [, , msg] of cases) {
    const whole = writeWhole(writeInMsg, msg)
    const r = openRaw(whole)
    const short = new CellWriter().writeBits(r.readBits(whole.bits), whole.bits)
    for (let k = 0; k + 1 < whole.refCount; k++) short.writeRef(whole.ref(k))
    assert.throws(() => openInMsg(short.toCell()), CellError)
    assert.throws(() => openInMsg(short.writeRef(c).writeRef(c).toCell()), CellError)
  }
})
