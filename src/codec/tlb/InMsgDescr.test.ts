import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, envelopeCell, externalMessage, internalMessage, marker } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { AugDict, writeAugDict } from '../cell/AugDict.ts'
import { openRaw } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import type { CurrencyCollection } from './CurrencyCollection.ts'
import { type InMsg, importFeesOf, inMsgDescrType, openInMsg, openInMsgDescr, writeInMsg } from './InMsgDescr.ts'
import { exportedValueOf, type OutMsg, openOutMsgDescr, outMsgDescrType } from './OutMsgDescr.ts'

const transaction = marker(1)
const proof = marker(2)
/** 1,000 grams and 5 of an extra currency, an IHR fee (or flags) of 3, 20 left to be earned on the way. */
const msg = internalMessage({ value: amount(1_000n, [[239, 5n]]), extraFlags: 3n, fwdFee: 40n })
const inMsg = envelopeCell(msg, { fwdFeeRemaining: 20n })
const outMsg = envelopeCell(msg, { fwdFeeRemaining: 15n })

const current = { ihrFeeCounts: false }
const old = { ihrFeeCounts: true }

const show = ({ grams, extra }: CurrencyCollection): string =>
  [grams, ...extra.entries().map(([id, value]) => `${value}#${id}`)].join(' ')

const inMsgs: readonly (readonly [InMsg, fees: bigint, value: string, oldValue: string])[] = [
  [{ kind: 'external', msg: externalMessage(), transaction }, 0n, '0', '0'],
  [{ kind: 'immediate', inMsg, transaction, fwdFee: 20n }, 20n, '0', '0'],
  [{ kind: 'final', inMsg, transaction, fwdFee: 20n }, 20n, '1020 5#239', '1023 5#239'],
  [{ kind: 'deferredFinal', inMsg, transaction, fwdFee: 20n }, 20n, '1020 5#239', '1023 5#239'],
  [{ kind: 'transit', inMsg, outMsg, transitFee: 5n }, 5n, '1020 5#239', '1023 5#239'],
  [{ kind: 'deferredTransit', inMsg, outMsg }, 0n, '1020 5#239', '1023 5#239'],
  [{ kind: 'ihr', msg, transaction, ihrFee: 3n, proofCreated: proof }, 3n, '1003 5#239', '1003 5#239'],
  [{ kind: 'discardedFinal', inMsg, transactionId: 9n, fwdFee: 20n }, 20n, '20', '20'],
  [{ kind: 'discardedTransit', inMsg, transactionId: 9n, fwdFee: 20n, proofDelivered: proof }, 20n, '20', '20'],
]

const outMsgs: readonly (readonly [OutMsg, value: string, oldValue: string])[] = [
  [{ kind: 'external', msg, transaction }, '0', '0'],
  [{ kind: 'immediate', outMsg, transaction, reimport: proof }, '0', '0'],
  [{ kind: 'new', outMsg, transaction }, '1015 5#239', '1018 5#239'],
  [{ kind: 'newDeferred', outMsg, transaction }, '1015 5#239', '1018 5#239'],
  [{ kind: 'transit', outMsg, imported: proof }, '1015 5#239', '1018 5#239'],
  [{ kind: 'requeuedTransit', outMsg, imported: proof }, '1015 5#239', '1018 5#239'],
  [{ kind: 'deferredTransit', outMsg, imported: proof }, '1015 5#239', '1018 5#239'],
  [{ kind: 'dequeuedImmediate', outMsg, reimport: proof }, '0', '0'],
  [{ kind: 'dequeued', outMsg, importBlockLt: 1n }, '0', '0'],
  [
    { kind: 'dequeuedShort', msgEnvHash: outMsg.hash(), nextWorkchain: 0, nextAddrPfx: 0n, importBlockLt: 1n },
    '0',
    '0',
  ],
]

test('each kind of incoming message brings its fees and its value', () => {
  for (const [each, fees, value, oldValue] of inMsgs) {
    const now = importFeesOf(each, current)
    const then = importFeesOf(each, old)
    assert.deepEqual(
      [now.feesCollected, show(now.valueImported), then.feesCollected, show(then.valueImported)],
      [fees, value, fees, oldValue],
      each.kind,
    )
  }
  const external: InMsg = { kind: 'ihr', msg: externalMessage(), transaction, ihrFee: 3n, proofCreated: proof }
  assert.throws(() => importFeesOf(external, current), CellError)
})

test('each kind of outgoing message takes its value along', () => {
  for (const [each, value, oldValue] of outMsgs) {
    assert.deepEqual(
      [show(exportedValueOf(each, current)), show(exportedValueOf(each, old))],
      [value, oldValue],
      each.kind,
    )
  }
})

const key = (k: number): Uint8Array => new Uint8Array(32).fill(17 * (k + 1))

test('the messages of a block are summed up, read back and found', () => {
  const into = AugDict.of(
    inMsgDescrType(current),
    inMsgs.map(([each], k) => [key(k), each]),
  )
  assert.deepEqual(
    [into.rootExtra.feesCollected, show(into.rootExtra.valueImported)],
    [20n + 20n + 20n + 5n + 3n + 20n + 20n, '5123 25#239'],
  )
  const readInto = openInMsgDescr(writeWhole(writeAugDict, into))
  assert.deepEqual(
    readInto.entries().map(([, { kind }]) => kind),
    inMsgs.map(([{ kind }]) => kind),
  )
  assert.equal(readInto.find(key(2))?.kind, 'final')

  const out = AugDict.of(
    outMsgDescrType(old),
    outMsgs.map(([each], k) => [key(k), each]),
  )
  assert.equal(show(out.rootExtra), '5090 25#239')
  const readOut = openOutMsgDescr(writeWhole(writeAugDict, out), old)
  assert.equal(show(readOut.delete(key(2)).rootExtra), '4072 20#239')
  assert.equal(readOut.findLeaf(key(3))?.extra.grams, 1_018n)
})

test('without messages nothing is summed up', () => {
  const none = openInMsgDescr(writeWhole(writeAugDict, AugDict.of(inMsgDescrType(current))))
  assert.deepEqual([none.isEmpty, none.rootExtra.feesCollected, show(none.rootExtra.valueImported)], [true, 0n, '0'])
})

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
      new CellError(`An InMsg of a deferred message starts with $00100 or $00101, but got $001${tag}.`),
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
