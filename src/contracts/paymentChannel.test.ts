import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled } from '../../test/support/sampleMessages.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { writeMsgAddress } from '../codec/tlb/MsgAddress.ts'
import type { Address } from '../primitives/Address.ts'
import { findPaymentChannel } from './paymentChannel.ts'

const address = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })

const addressCell = (byte: number): Cell =>
  writeWhole(writeMsgAddress, { kind: 'std', ...address(byte), anycast: undefined })

const configCell = new CellWriter()
  .writeUint(60, 32)
  .writeUint(120, 32)
  .writeBytes(filled(1))
  .writeBytes(filled(2))
  .writeUintWide(1n << 63n, 64)
  .writeCoins(7n)
  .writeRef(addressCell(3))
  .writeRef(addressCell(4))
  .toCell()

const config = {
  a: { publicKey: filled(1), address: address(3) },
  b: { publicKey: filled(2), address: address(4) },
  initTimeout: 60,
  closeTimeout: 120,
  channelId: 1n << 63n,
  minAExtra: 7n,
}

const find = (state: Cell) => findPaymentChannel(new CellWriter().writeRef(configCell).writeRef(state).toCell())

const open = (tag: number): CellWriter =>
  new CellWriter()
    .writeUint(tag, 3)
    .writeBit(true)
    .writeBit(false)
    .writeCoins(10n)
    .writeCoins(20n)
    .writeUint(1_700_000_000, 32)
    .writeCoins(30n)
    .writeCoins(40n)

test('a channel is read in each of its states', () => {
  const rest = { signedA: true, signedB: false, expireAt: 1_700_000_000, amountA: 30n, amountB: 40n }
  assert.deepEqual(find(open(0).toCell()), { config, state: { kind: 'init', minA: 10n, minB: 20n, ...rest } })
  assert.deepEqual(find(open(1).toCell()), { config, state: { kind: 'close', promiseA: 10n, promiseB: 20n, ...rest } })
  const payout = new CellWriter().writeUint(2, 3).writeCoins(5n).writeCoins(6n).toCell()
  assert.deepEqual(find(payout), { config, state: { kind: 'payout', amountA: 5n, amountB: 6n } })
})

test('data that is no channel is none', () => {
  assert.equal(find(open(3).toCell()), undefined)
  assert.equal(find(open(0).writeBit(true).toCell()), undefined)
  assert.equal(find(emptyCell), undefined)
  assert.equal(findPaymentChannel(emptyCell), undefined)
})
