import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, filled } from '../../../test/support/sampleMessages.ts'
import { addressArgument, addressOf, cellOf, intArgument, intOf } from '../../../test/support/stackValues.ts'
import { incomingMessage, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { bytesKey, uintValue } from '../../codec/cell/dictTypes.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { contractAddress } from './contractInit.ts'
import { createSigner, externalMessage, outgoingMessageCell, signedBody } from './messages.ts'
import { vestingInit, vestingSendBody, vestingWhitelistBody } from './vestingContract.ts'

const TON = 1_000_000_000n
const alice = address(0, 0xa1)
const bob = address(0, 0xb0)
const carol = address(0, 0xca)
const dave = address(0, 0xda)
const erin = address(0, 0xe1)

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> =>
  new TinyLedger((await createTestMachine(t)).machine)

const key = createSigner(filled(0x31))

const createVesting = async (t: Parameters<typeof createTestMachine>[0]) => {
  const ledger = await createLedger(t)
  const init = vestingInit({
    startTime: ledger.now,
    totalDuration: 1000,
    unlockPeriod: 100,
    cliffDuration: 200,
    totalAmount: 100n * TON,
    sender: alice,
    owner: bob,
    ownerKey: key.publicKey,
  })
  const vesting = contractAddress(init)
  await ledger.send(incomingMessage(alice, vesting, 101n * TON, emptyCell, init))
  return { ledger, vesting }
}

test('a vesting wallet unlocks its money step by step', async (t) => {
  const { ledger, vesting } = await createVesting(t)
  const locked = async (seconds: number) =>
    intOf((await ledger.runMethod(vesting, 'get_locked_amount', [intArgument(BigInt(ledger.now + seconds))]))[0]) / TON
  const amounts: bigint[] = []
  for (const seconds of [0, 199, 200, 299, 300, 999, 1000]) amounts.push(await locked(seconds))
  assert.deepEqual(amounts, [100n, 100n, 80n, 80n, 70n, 10n, 0n])
  const data = await ledger.runMethod(vesting, 'get_vesting_data')
  assert.equal(data.length, 8)
  assert.deepEqual(data.slice(0, 5).map(intOf), [BigInt(ledger.now), 1000n, 100n, 200n, 100n * TON])
  assert.deepEqual(data.slice(5, 7).map(addressOf), [formatRawAddress(alice), formatRawAddress(bob)])
  assert.equal(data[7]?.kind, 'null')
})

test('the owner of a vesting wallet sends what is unlocked, and all of it to listed addresses', async (t) => {
  const { ledger, vesting } = await createVesting(t)
  const send = (who: Address, destination: Address, value: bigint, mode = 3) =>
    ledger.send(incomingMessage(who, vesting, TON, vestingSendBody(1n, { destination, value, bounce: false, mode })))
  assert.deepEqual(outcomeOpcodes(await send(carol, erin, 1n)), ['a7733acd'])
  assert.deepEqual(outcomeOpcodes(await send(bob, erin, TON / 2n)), ['a7733acd', '', 'f7733acd'])
  assert.equal(ledger.balanceOf(erin), TON / 2n)
  // More than is unlocked: the answer comes, the money does not go.
  assert.deepEqual(outcomeOpcodes(await send(bob, erin, 50n * TON)), ['a7733acd', 'f7733acd'])
  assert.deepEqual(outcomeCodes(await send(bob, erin, 1n, 128)), [101, 'skipped'])
  assert.deepEqual(outcomeOpcodes(await send(bob, alice, 10n * TON)), ['a7733acd', '', 'f7733acd'])

  const list = vestingWhitelistBody(2n, carol, [dave, erin])
  assert.deepEqual(outcomeOpcodes(await ledger.send(incomingMessage(bob, vesting, TON, list))), ['7258a69b'])
  const listed = await ledger.send(incomingMessage(alice, vesting, TON, list))
  assert.deepEqual(outcomeOpcodes(listed), ['7258a69b', 'f258a69b'])
  for (const [who, expected] of [[carol, -1n] as const, [erin, -1n] as const, [bob, 0n] as const]) {
    assert.equal(intOf((await ledger.runMethod(vesting, 'is_whitelisted', [addressArgument(who)]))[0]), expected)
  }
  const whitelist = cellOf((await ledger.runMethod(vesting, 'get_vesting_data'))[7])
  const keys = new Dict({ key: bytesKey(33), value: uintValue(1) }, whitelist).entries().map(([it]) => it[1])
  assert.deepEqual(keys, [0xca, 0xda, 0xe1])
  assert.deepEqual(outcomeOpcodes(await send(bob, erin, 50n * TON)), ['a7733acd', '', 'f7733acd'])
})

test('a vesting wallet takes orders that its owner signed, once', async (t) => {
  const { ledger, vesting } = await createVesting(t)
  const message = outgoingMessageCell({ destination: alice, value: TON, bounce: false })
  const body = new CellWriter()
    .writeUint(0x10c, 32)
    .writeUint(ledger.now + 60, 32)
    .writeUint(0, 32)
    .writeUint(3, 8)
    .writeRef(message)
    .toCell()
  const forged = { publicKey: key.publicKey, sign: createSigner(filled(0x32)).sign }
  assert.deepEqual(outcomeCodes(await ledger.send(externalMessage(vesting, signedBody(forged, body)))), ['refused 35'])
  const order = externalMessage(vesting, signedBody(key, body))
  assert.deepEqual(outcomeCodes(await ledger.send(order)), [0, 'skipped'])
  assert.deepEqual(outcomeCodes(await ledger.send(order)), ['refused 33'])
  assert.equal(intOf((await ledger.runMethod(vesting, 'seqno'))[0]), 1n)
})
