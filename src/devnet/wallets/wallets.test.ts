import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address as CoreAddress, type Cell as CoreCell, internal } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { HighloadWalletV3 } from '@tonkite/highload-wallet-v3'
import { address, filled } from '../../../test/support/sampleMessages.ts'
import { outcomeCodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { bodyCell, readMessage } from '../../codec/tlb/Message.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { createSigner } from '../contracts/messages.ts'
import { signTransfer } from './signTransfer.ts'
import {
  createWallet,
  readPackagedCode,
  WalletCodeError,
  WalletOrderError,
  walletCode,
  walletKinds,
} from './wallets.ts'

const seed = filled(0x21)
const key = createSigner(seed)
const pair = keyPairFromSeed(Buffer.from(seed))
const later = 1_700_000_060
const to = address(0, 0x99)

const theirs = (networkGlobalId: number) => ({
  v3r2: WalletContractV3R2.create({ workchain: 0, publicKey: pair.publicKey }),
  v4r2: WalletContractV4.create({ workchain: 0, publicKey: pair.publicKey }),
  v5r1: WalletContractV5R1.create({
    publicKey: pair.publicKey,
    walletId: { networkGlobalId, context: { workchain: 0, walletVersion: 'v5r1', subwalletNumber: 0 } },
  }),
  'highload-v3': new HighloadWalletV3(HighloadWalletV3.newSequence(), pair.publicKey),
})

test('wallets have the addresses that common libraries give them, on any network', () => {
  for (const networkGlobalId of [-239, -3, -777, 4711]) {
    const expected = theirs(networkGlobalId)
    for (const kind of walletKinds) {
      const wallet = createWallet(kind, key.publicKey, networkGlobalId)
      assert.equal(formatRawAddress(wallet.address), expected[kind].address.toRawString(), `${kind} ${networkGlobalId}`)
    }
  }
})

test('an order has the bits that common libraries write', async () => {
  const expected = theirs(-239)
  const message = internal({ to: CoreAddress.parseRaw(formatRawAddress(to)), value: 5n, bounce: false })
  const order = { seqno: 7, secretKey: pair.secretKey, sendMode: 3, messages: [message, message], timeout: later }
  const bodies: Record<string, CoreCell> = {
    v3r2: expected.v3r2.createTransfer(order),
    v4r2: expected.v4r2.createTransfer(order),
    v5r1: expected.v5r1.createTransfer(order),
  }
  const ours = { destination: to, value: 5n, bounce: false }
  for (const kind of ['v3r2', 'v4r2', 'v5r1'] as const) {
    const wallet = createWallet(kind, key.publicKey, -239)
    const external = signTransfer(wallet, key, { seqno: 7, validUntil: later, messages: [ours, ours] })
    const { body } = readWhole(external, readMessage, 'A message')
    assert.equal(toHex(bodyCell(body).hash()), bodies[kind]!.hash().toString('hex'), kind)
  }
})

for (const kind of walletKinds) {
  test(`a ${kind} wallet is deployed by its first order and does each order once`, async (t) => {
    const { machine } = await createTestMachine(t)
    const ledger = new TinyLedger(machine)
    const wallet = createWallet(kind, key.publicKey, -777)
    ledger.put(wallet.address, 10_000_000_000n)
    const transfer = { destination: to, value: 1_000_000_000n, bounce: false }
    const first = { seqno: 0, validUntil: later, messages: [transfer] }

    const forged = { publicKey: key.publicKey, sign: createSigner(filled(0x22)).sign }
    const wrongSignature = { v3r2: 35, v4r2: 35, v5r1: 135, 'highload-v3': 33 }[kind]
    assert.deepEqual(outcomeCodes(await ledger.send(signTransfer(wallet, forged, first, { deploy: true }))), [
      `refused ${wrongSignature}`,
    ])
    const message = signTransfer(wallet, key, first, { deploy: true })
    assert.deepEqual(outcomeCodes(await ledger.send(message)), [0, 'skipped'])
    assert.equal(ledger.balanceOf(to), 1_000_000_000n)
    const replayed = { v3r2: 33, v4r2: 33, v5r1: 133, 'highload-v3': 36 }[kind]
    assert.deepEqual(outcomeCodes(await ledger.send(message)), [`refused ${replayed}`])

    const three = { seqno: 1, validUntil: later, messages: [transfer, transfer, transfer] }
    const codes = outcomeCodes(await ledger.send(signTransfer(wallet, key, three)))
    assert.deepEqual(codes.slice(-3), ['skipped', 'skipped', 'skipped'])
    assert.equal(ledger.balanceOf(to), 4_000_000_000n)

    const expired = { seqno: 2, validUntil: ledger.now - 1, messages: [transfer] }
    const tooLate = { v3r2: 35, v4r2: 36, v5r1: 136, 'highload-v3': 35 }[kind]
    assert.deepEqual(outcomeCodes(await ledger.send(signTransfer(wallet, key, expired))), [`refused ${tooLate}`])
  })
}

test('a highload wallet sends 200 messages at once, and counts its orders over rows', async (t) => {
  const { machine } = await createTestMachine(t)
  const ledger = new TinyLedger(machine)
  const wallet = createWallet('highload-v3', key.publicKey, -777)
  ledger.put(wallet.address, 1_000_000_000_000n, wallet.init)
  const messages = Array.from({ length: 200 }, () => ({ destination: to, value: 1_000_000n, bounce: false }))
  for (const seqno of [0, 1022, 1023, 1_000_000]) {
    const outcome = await ledger.send(signTransfer(wallet, key, { seqno, validUntil: later, messages }))
    assert.equal(outcomeCodes(outcome).length, 202, String(seqno))
  }
  assert.equal(ledger.balanceOf(to), 800_000_000n)
  const tooHigh = { seqno: 1023 * 8191, validUntil: later, messages: [] }
  assert.throws(() => signTransfer(wallet, key, tooHigh), WalletOrderError)
})

test('more messages than a wallet can send are refused before anything is signed', () => {
  const messages = Array.from({ length: 5 }, () => ({ destination: to, value: 1n, bounce: false }))
  const wallet = createWallet('v4r2', key.publicKey, -239)
  assert.throws(() => signTransfer(wallet, key, { seqno: 0, validUntil: later, messages }), WalletOrderError)
})

test('codes come from their packages quickly, and a missing one is told', () => {
  const missing = import.meta.resolve('@ton/ton/dist/wallets/v4/WalletContractV4.js')
  assert.throws(() => readPackagedCode(missing, filled(1)), WalletCodeError)
  assert.throws(() => readPackagedCode(`${missing}.gone`, filled(1)), WalletCodeError)
  assert.equal(toHex(walletCode('v4r2').hash()), 'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0')
})
