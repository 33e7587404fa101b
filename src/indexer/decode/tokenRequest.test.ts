import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBuilt, ORDINARY } from '../../../test/support/builtTransaction.ts'
import { address, amount, marker } from '../../../test/support/sampleMessages.ts'
import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import type { Message } from '../../codec/tlb/Message.ts'
import { writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import type { Transaction } from '../../codec/tlb/Transaction.ts'
import type { StorageDescr } from '../../codec/tlb/TransactionDescr.ts'
import { toHex } from '../../primitives/hex.ts'
import type { TokenRequest } from '../blockSets.ts'

const toMessage = (body: Cell, isInRef = true): Message => ({
  info: {
    kind: 'internal',
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    source: address(0, 1),
    destination: address(0, 2),
    value: amount(1n),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 1n,
    createdAt: 1,
  },
  init: undefined,
  body: isInRef ? body : wholeSlice(body),
})

const request = (body: Cell, fields?: Partial<Transaction>): TokenRequest | undefined =>
  decodeBuilt({ inMsg: toMessage(body), ...(fields && { fields }) }).blockSet.tokenRequests[0]

const plain = (value: TokenRequest | undefined): unknown =>
  value &&
  Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each instanceof Uint8Array ? toHex(each) : each]),
  )

const key = (byte: number): string => `00${byte.toString(16).padStart(2, '0').repeat(32)}`
const hashOf = (packed: Uint8Array | undefined): string | undefined => packed && toHex(unpackCell(packed).hash())

/** A transfer of jettons up to its forward payload. */
const transferHead = (customPayload?: Cell): CellWriter => {
  const w = new CellWriter()
    .writeUint(0x0f8a7ea5, 32)
    .writeUint64(2n ** 64n - 1n)
    .writeVarUint(2n ** 119n, 4)
  writeMsgAddress(w, address(0, 5))
  writeMsgAddress(w, { kind: 'none' })
  return w.writeMaybeRef(customPayload).writeVarUint(77n, 4)
}

const transferFacts = {
  kind: 'jettonTransfer',
  transaction: 0,
  aborted: true,
  queryId: 2n ** 64n - 1n,
  source: key(1),
  amount: 2n ** 119n,
  destination: key(5),
  responseDestination: '',
  forwardAmount: 77n,
}

test('a transfer of jettons, its payload in a reference', () => {
  const body = transferHead(marker(1)).writeBit(true).writeRef(marker(2)).toCell()
  const found = request(body)
  assert.ok(found?.kind === 'jettonTransfer')
  assert.equal(hashOf(found.customPayload), toHex(marker(1).hash()))
  assert.equal(hashOf(found.forwardPayload), toHex(marker(2).hash()))
  const { customPayload: _custom, forwardPayload: _forward, ...facts } = plain(found) as Record<string, unknown>
  assert.deepEqual(facts, transferFacts)
})

test('a payload that stands in the body becomes a cell of its own', () => {
  const body = transferHead().writeBit(false).writeUint(0xabc, 12).writeRef(marker(3)).toCell()
  const found = request(body)
  assert.ok(found?.kind === 'jettonTransfer')
  const payload = new CellWriter().writeUint(0xabc, 12).writeRef(marker(3)).toCell()
  assert.equal(hashOf(found.forwardPayload), toHex(payload.hash()))
  assert.equal(found.customPayload, undefined)
  const none = request(transferHead().writeBit(false).toCell())
  assert.deepEqual(plain(none), { ...transferFacts, customPayload: undefined, forwardPayload: undefined })
})

test('a burn of jettons, with something behind it', () => {
  const w = new CellWriter().writeUint(0x595f07bc, 32).writeUint64(3n).writeVarUint(4n, 4)
  writeMsgAddress(w, address(-1, 6))
  const body = w.writeMaybeRef(undefined).writeUint(1, 20).toCell()
  assert.deepEqual(plain(request(body, { description: { ...ORDINARY, aborted: false } })), {
    kind: 'jettonBurn',
    transaction: 0,
    aborted: false,
    queryId: 3n,
    source: key(1),
    amount: 4n,
    responseDestination: `ff${'06'.repeat(32)}`,
    customPayload: undefined,
  })
})

test('a transfer of an item', () => {
  const w = new CellWriter().writeUint(0x5fcc3d14, 32).writeUint64(3n)
  writeMsgAddress(w, address(0, 7))
  writeMsgAddress(w, { kind: 'extern', bits: 3, value: Uint8Array.of(0x20) })
  const body = w.writeMaybeRef(undefined).writeVarUint(9n, 4).writeBit(false).toCell()
  assert.deepEqual(plain(request(body)), {
    kind: 'nftTransfer',
    transaction: 0,
    aborted: true,
    queryId: 3n,
    source: key(1),
    newOwner: key(7),
    responseDestination: '01',
    customPayload: undefined,
    forwardAmount: 9n,
    forwardPayload: undefined,
  })
})

test('what asks for nothing', () => {
  const whole = transferHead(marker(1)).writeBit(true).writeRef(marker(2)).toCell()
  const description: StorageDescr = {
    kind: 'storage',
    storagePhase: { storageFeesCollected: 0n, storageFeesDue: undefined, statusChange: 'unchanged' },
  }
  assert.ok(request(whole) !== undefined)
  assert.equal(request(whole, { description }), undefined)
  // Too short: the bit before the payload, or the reference after it, is missing.
  assert.equal(request(transferHead().toCell()), undefined)
  assert.equal(request(transferHead().writeBit(true).toCell()), undefined)
  assert.equal(request(new CellWriter().writeUint(0x595f07bc, 32).toCell()), undefined)
  assert.equal(request(new CellWriter().writeUint(0x5fcc3d14, 32).writeUint(1, 8).toCell()), undefined)
  assert.equal(request(new CellWriter().writeUint(0x0f8a7ea6, 32).writeUint64(1n).toCell()), undefined)
})
