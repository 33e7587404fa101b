import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, filled, marker } from '../../../test/support/sampleMessages.ts'
import { incomingMessage, outcomeCodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine, sampleVmConfig } from '../../../test/support/vmSamples.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { configDictType } from '../../codec/tlb/config/configParams.ts'
import { openBody, readMessage } from '../../codec/tlb/Message.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { toHex } from '../../primitives/hex.ts'
import { compiledCode, contractInit, type OwnContract } from './contractInit.ts'
import { compiledCodes } from './generated/compiledCodes.ts'
import { createSigner, externalMessage, signedBody } from './messages.ts'
import {
  configAddress,
  configChange,
  configData,
  configReplacement,
  electorAddress,
  electorData,
  faucetAddress,
  faucetInit,
  faucetTransfer,
} from './systemContracts.ts'

const key = createSigner(filled(0x11))
const stranger = createSigner(filled(0x12))
const config = sampleVmConfig({ special: [configAddress.hash, electorAddress.hash] })
const later = 1_700_000_060

const special = (init: StateInit): StateInit => ({ ...init, special: { tick: true, tock: true } })

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> => {
  const { machine } = await createTestMachine(t)
  const ledger = new TinyLedger(machine, config)
  ledger.put(
    configAddress,
    10_000_000_000n,
    special(contractInit(compiledCode('config'), configData(config, key.publicKey))),
  )
  ledger.put(electorAddress, 10_000_000_000n, special(contractInit(compiledCode('elector'), electorData())))
  ledger.put(faucetAddress(key.publicKey), 1_000_000_000_000n, faucetInit(key.publicKey))
  return ledger
}

test('every code has the hash that stands beside it', () => {
  for (const [name, { hash }] of Object.entries(compiledCodes)) {
    assert.equal(toHex(compiledCode(name as OwnContract).hash()), hash, name)
  }
})

test('the configuration contract changes what its key signs, once', async (t) => {
  const ledger = await createLedger(t)
  const change = configChange(key, 0, later, 17, marker(17))
  assert.deepEqual(outcomeCodes(await ledger.send(configChange(stranger, 0, later, 17, marker(17)))), ['refused 34'])
  assert.deepEqual(outcomeCodes(await ledger.send(configChange(key, 1, later, 17, marker(17)))), ['refused 33'])
  assert.deepEqual(outcomeCodes(await ledger.send(configChange(key, 0, ledger.now - 1, 17, emptyCell))), ['refused 35'])
  assert.deepEqual(outcomeCodes(await ledger.send(change)), [0])
  assert.deepEqual(outcomeCodes(await ledger.send(change)), ['refused 33'])
  const expected = new Dict(configDictType, config).set(17, marker(17))
  const data = openCell(ledger.dataOf(configAddress))
  assert.equal(toHex(data.readRefCell().hash()), toHex((expected.root as typeof config).hash()))
  assert.equal(data.readUint(32), 1)
  assert.deepEqual(await ledger.runMethod(configAddress, 'seqno'), [{ kind: 'int', value: 1n }])
})

test('the configuration contract takes negative parameters and a whole configuration', async (t) => {
  const ledger = await createLedger(t)
  assert.deepEqual(outcomeCodes(await ledger.send(configChange(key, 0, later, -999, marker(1)))), [0])
  const negative = new Dict(configDictType, config).set(-999, marker(1))
  assert.ok(
    ledger
      .dataOf(configAddress)
      .ref(0)
      .equals(negative.root as typeof config),
  )
  assert.deepEqual(outcomeCodes(await ledger.send(configReplacement(key, 1, later, config))), [0])
  assert.ok(ledger.dataOf(configAddress).ref(0).equals(config))
})

test('an action that the configuration contract does not know costs its seqno', async (t) => {
  const ledger = await createLedger(t)
  const unknown = configReplacement(key, 0, later, config)
  const body = new CellWriter().writeUint(7, 32).writeUint(0, 32).writeUint(later, 32).toCell()
  assert.deepEqual(outcomeCodes(await ledger.send(externalMessage(configAddress, signedBody(key, body)))), [32])
  assert.deepEqual(outcomeCodes(await ledger.send(unknown)), ['refused 33'])
})

test('system contracts take money silently and sleep through tick and tock', async (t) => {
  const ledger = await createLedger(t)
  for (const to of [configAddress, electorAddress]) {
    const before = ledger.balanceOf(to)
    const outcome = await ledger.send(incomingMessage(address(-1, 0), to, 5n, emptyCell))
    assert.deepEqual(outcomeCodes(outcome), [0])
    for (const kind of ['tick', 'tock'] as const) {
      assert.deepEqual(outcomeCodes(await ledger.run(to, { kind })), [0])
    }
    assert.equal(ledger.balanceOf(to), before + 5n)
  }
})

test('the elector gives a stake back and answers as between elections', async (t) => {
  const ledger = await createLedger(t)
  const validator = address(-1, 0x77)
  const stake = new CellWriter().writeUint(0x4e73744b, 32).writeUint64(9n).toCell()
  const outcome = await ledger.send(incomingMessage(validator, electorAddress, 10_000_000_000n, stake))
  assert.equal(outcome.kind, 'done')
  if (outcome.kind !== 'done') return
  const reply = readWhole(outcome.transactions[0]!.outMsgs.find(0)!, readMessage, 'A message')
  const body = openBody(reply.body)
  assert.deepEqual([body.readUint(32), body.readUint64(), body.readUint(32)], [0xee6f454c, 9n, 0])
  const int = (value: bigint) => ({ kind: 'int', value })
  const none = { kind: 'null' }
  assert.deepEqual(await ledger.runMethod(electorAddress, 'active_election_id'), [int(0n)])
  assert.deepEqual(await ledger.runMethod(electorAddress, 'participant_list'), [none])
  assert.deepEqual(
    await ledger.runMethod(electorAddress, 'participant_list_extended'),
    [0n, 0n, 0n, 0n].map(int).concat([none as never, int(0n), int(0n)]),
  )
  assert.deepEqual(await ledger.runMethod(electorAddress, 'compute_returned_stake', [{ kind: 'int', value: 1n }]), [
    int(0n),
  ])
  assert.deepEqual(await ledger.runMethod(electorAddress, 'past_elections'), [none])
})

test('the faucet pays 250 receivers at once, and each order once', async (t) => {
  const ledger = await createLedger(t)
  const receivers = Array.from({ length: 250 }, (_, k) => address(0, k + 1))
  const order = faucetTransfer(
    key,
    0,
    later,
    receivers.map((destination) => ({ destination, value: 1_000_000_000n, bounce: false })),
  )
  const outcome = await ledger.send(order)
  assert.equal(outcomeCodes(outcome).length, 251)
  assert.equal(outcomeCodes(outcome)[0], 0)
  for (const receiver of receivers) assert.equal(ledger.balanceOf(receiver), 1_000_000_000n)
  assert.deepEqual(outcomeCodes(await ledger.send(order)), ['refused 33'])
  assert.deepEqual(await ledger.runMethod(faucetAddress(key.publicKey), 'seqno'), [{ kind: 'int', value: 1n }])
})

test('the faucet refuses expired orders and those of other keys', async (t) => {
  const ledger = await createLedger(t)
  const faucet = faucetAddress(key.publicKey)
  const transfer = { destination: address(0, 1), value: 1n, bounce: false }
  assert.deepEqual(outcomeCodes(await ledger.send(faucetTransfer(key, 0, ledger.now, [transfer]))), ['refused 36'])
  const forged = { publicKey: key.publicKey, sign: stranger.sign }
  assert.deepEqual(outcomeCodes(await ledger.send(faucetTransfer(forged, 0, later, [transfer]))), ['refused 35'])
  assert.deepEqual(
    outcomeCodes(await ledger.send(incomingMessage(address(0, 9), faucet, 1_000_000_000n, emptyCell))),
    [0],
  )
})
