import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, envelopeCell, externalMessage, internalMessage, marker } from '../../../test/support/sampleMessages.ts'
import { AugDict, writeAugDict } from '../cell/AugDict.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import type { CurrencyCollection } from './CurrencyCollection.ts'
import type { InMsg } from './InMsg.ts'
import { importFeesOf, inMsgDescrType, openInMsgDescr } from './InMsgDescr.ts'
import type { OutMsg } from './OutMsg.ts'
import { exportedValueOf, openOutMsgDescr, outMsgDescrType } from './OutMsgDescr.ts'

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
