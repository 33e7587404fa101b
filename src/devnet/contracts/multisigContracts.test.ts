import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, filled } from '../../../test/support/sampleMessages.ts'
import { addressOf, cellOf, intArgument, intOf } from '../../../test/support/stackValues.ts'
import { incomingMessage, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { uintKey } from '../../codec/cell/dictTypes.ts'
import { readMsgAddressInt, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { contractAddress } from './contractInit.ts'
import { commentBody } from './messages.ts'
import { approveBody, multisigInit, multisigOrderAddress, newOrderBody } from './multisigContracts.ts'

const TON = 1_000_000_000n
const alice = address(0, 0xa1)
const bob = address(0, 0xb0)
const carol = address(0, 0xca)
const dave = address(0, 0xda)
const erin = address(0, 0xe1)

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> =>
  new TinyLedger((await createTestMachine(t)).machine)

test('an order of a multisig wallet is carried out when enough have approved', async (t) => {
  const ledger = await createLedger(t)
  const init = multisigInit({ threshold: 2, signers: [alice, bob, carol], proposers: [dave] })
  const multisig = contractAddress(init)
  await ledger.send(incomingMessage(alice, multisig, 20n * TON, emptyCell, init))
  const [next, threshold, signers, proposers] = await ledger.runMethod(multisig, 'get_multisig_data')
  assert.deepEqual([intOf(next), intOf(threshold)], [0n, 2n])
  const listed = (cell: ReturnType<typeof cellOf>) =>
    new Dict({ key: uintKey(8), value: { read: readMsgAddressInt, write: writeMsgAddress } }, cell)
      .entries()
      .map(([index, it]) => [index, it.kind === 'std' && formatRawAddress(it)])
  assert.deepEqual(
    listed(cellOf(signers)),
    [alice, bob, carol].map((it, k) => [k, formatRawAddress(it)]),
  )
  assert.deepEqual(listed(cellOf(proposers)), [[0, formatRawAddress(dave)]])

  const order = {
    queryId: 1n,
    seqno: 0n,
    isSigner: true,
    index: 1,
    expirationDate: ledger.now + 3600,
    messages: [{ destination: erin, value: 3n * TON, bounce: false }],
  }
  const create = (who: Address, change: Partial<typeof order> = {}) =>
    ledger.send(incomingMessage(who, multisig, TON, newOrderBody({ ...order, ...change })))
  assert.deepEqual(outcomeCodes(await create(alice)), [1007, 'skipped'])
  assert.deepEqual(outcomeCodes(await create(bob, { seqno: 5n })), [1010, 'skipped'])
  assert.deepEqual(outcomeCodes(await create(bob, { expirationDate: ledger.now - 1 })), [1011, 'skipped'])
  assert.deepEqual(outcomeOpcodes(await create(bob)), ['f718510f', '9c73fba2'])

  const orderAddress = multisigOrderAddress(multisig, 0n)
  const [at] = await ledger.runMethod(multisig, 'get_order_address', [intArgument(0n)])
  assert.equal(addressOf(at), formatRawAddress(orderAddress))
  const data = await ledger.runMethod(orderAddress, 'get_order_data')
  assert.equal(data.length, 9)
  assert.equal(addressOf(data[0]), formatRawAddress(multisig))
  assert.deepEqual(
    [1, 2, 3, 5, 6, 7].map((k) => intOf(data[k])),
    [0n, 2n, 0n, 2n, 1n, BigInt(ledger.now + 3600)],
  )

  const approve = (who: Address, index: number) =>
    ledger.send(incomingMessage(who, orderAddress, TON, approveBody(2n, index)))
  assert.deepEqual(outcomeOpcodes(await approve(bob, 1)), ['a762230f', 'afaf283e'])
  assert.deepEqual(outcomeOpcodes(await approve(dave, 0)), ['a762230f', 'afaf283e'])
  assert.equal(ledger.balanceOf(erin), 0n)
  assert.deepEqual(outcomeOpcodes(await approve(carol, 2)), ['a762230f', '82609bf6', '75097f5d', ''])
  assert.equal(ledger.balanceOf(erin), 3n * TON)
  assert.equal(intOf((await ledger.runMethod(orderAddress, 'get_order_data'))[3]), -1n)
  assert.deepEqual(outcomeOpcodes(await approve(alice, 0)), ['a762230f', 'afaf283e'])
})

test('a proposer makes orders, and signers approve by comment', async (t) => {
  const ledger = await createLedger(t)
  const init = multisigInit({ threshold: 1, signers: [alice], proposers: [dave] })
  const multisig = contractAddress(init)
  await ledger.send(incomingMessage(alice, multisig, 20n * TON, emptyCell, init))
  const body = newOrderBody({
    queryId: 1n,
    seqno: 2n ** 256n - 1n,
    isSigner: false,
    index: 0,
    expirationDate: ledger.now + 3600,
    messages: [{ destination: erin, value: TON, bounce: false }],
  })
  assert.deepEqual(outcomeOpcodes(await ledger.send(incomingMessage(dave, multisig, TON, body))), [
    'f718510f',
    '9c73fba2',
  ])
  const order = multisigOrderAddress(multisig, 0n)
  const approved = await ledger.send(incomingMessage(alice, order, TON, commentBody('approve')))
  assert.deepEqual(outcomeOpcodes(approved), ['00000000', '82609bf6', '75097f5d', ''])
  assert.equal(ledger.balanceOf(erin), TON)
})

test('a forged order is not carried out', async (t) => {
  const ledger = await createLedger(t)
  const init = multisigInit({ threshold: 1, signers: [alice], proposers: [] })
  const multisig = contractAddress(init)
  await ledger.send(incomingMessage(alice, multisig, 20n * TON, emptyCell, init))
  const execute = new CellWriter()
    .writeUint(0x75097f5d, 32)
    .writeUint64(1n)
    .writeUintWide(0n, 256)
    .writeUint(ledger.now + 60, 48)
    .writeUint(1, 8)
    .writeBytes(filled(1))
    .writeRef(emptyCell)
    .toCell()
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, multisig, TON, execute))), [1012, 'skipped'])
})
