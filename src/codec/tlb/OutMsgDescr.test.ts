import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { openRaw } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { type OutMsg, readOutMsg, writeOutMsg } from './OutMsgDescr.ts'

const [a, b, c] = [marker(1), marker(2), marker(3)]
const lt = '101'.padStart(63, '0')
const short: OutMsg = {
  kind: 'dequeuedShort',
  msgEnvHash: filled(0xff),
  nextWorkchain: -1,
  nextAddrPfx: 1n << 63n,
  importBlockLt: 5n,
}

const cases: readonly (readonly [bits: string, refs: readonly number[], msg: OutMsg])[] = [
  ['000', [1, 2], { kind: 'external', msg: a, transaction: b }],
  ['001', [1, 2], { kind: 'new', outMsg: a, transaction: b }],
  ['010', [1, 2, 3], { kind: 'immediate', outMsg: a, transaction: b, reimport: c }],
  ['011', [1, 2], { kind: 'transit', outMsg: a, imported: b }],
  ['100', [1, 2], { kind: 'dequeuedImmediate', outMsg: a, reimport: b }],
  ['10100', [1, 2], { kind: 'newDeferred', outMsg: a, transaction: b }],
  ['10101', [1, 2], { kind: 'deferredTransit', outMsg: a, imported: b }],
  [`1100 ${lt}`, [1], { kind: 'dequeued', outMsg: a, importBlockLt: 5n }],
  [`1101 ${'1'.repeat(256)} ${'1'.repeat(32)} 1${'0'.repeat(63)} 0${lt}`, [], short],
  ['111', [1, 2], { kind: 'requeuedTransit', outMsg: a, imported: b }],
]

test('every kind of outgoing message is laid out as in the schema', () => {
  for (const [bits, refs, msg] of cases) {
    const cell = writeWhole(writeOutMsg, msg)
    const r = openRaw(cell)
    const written = Array.from({ length: cell.bits }, () => (r.readBit() ? '1' : '0')).join('')
    assert.equal(written, bits.replaceAll(' ', ''), msg.kind)
    assert.deepEqual(
      refs.map((id, k) => cell.ref(k).equals(marker(id))),
      refs.map(() => true),
    )
    assert.equal(cell.refCount, refs.length)
    assert.deepEqual(toPlain(readWhole(cell, readOutMsg, 'An OutMsg')), toPlain(msg))
  }
})

test('tags that nobody uses, messages cut short and times too great are refused', () => {
  for (const tag of ['10', '11']) {
    const w = new CellWriter().writeUint(0b101, 3).writeUint(Number.parseInt(tag, 2), 2).writeRef(a).writeRef(b)
    assert.throws(
      () => readWhole(w.toCell(), readOutMsg, 'An OutMsg'),
      new CellError(`An OutMsg of a deferred message starts with $10100 or $10101, but got $101${tag}.`),
    )
  }
  for (const [, refs, msg] of cases) {
    const whole = writeWhole(writeOutMsg, msg)
    const r = openRaw(whole)
    const bits = refs.length === 0 ? whole.bits - 1 : whole.bits
    const cut = new CellWriter().writeBits(r.readBits(bits), bits)
    for (let k = 0; k + 1 < whole.refCount; k++) cut.writeRef(whole.ref(k))
    assert.throws(() => readWhole(cut.toCell(), readOutMsg, 'An OutMsg'), CellError)
  }
  assert.throws(() => writeWhole(writeOutMsg, { kind: 'dequeued', outMsg: a, importBlockLt: 1n << 63n }), CellError)
})
