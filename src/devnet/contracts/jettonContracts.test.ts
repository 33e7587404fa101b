import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address } from '../../../test/support/sampleMessages.ts'
import { addressArgument, addressOf, intOf } from '../../../test/support/stackValues.ts'
import { incomingMessage, outcomeCodes, outcomeOpcodes, TinyLedger } from '../../../test/support/TinyLedger.ts'
import { readTokenContent, tokenValueBytes } from '../../../test/support/tokenContent.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { decodeUtf8 } from '../../codec/content/text.ts'
import { openBody, readMessage } from '../../codec/tlb/Message.ts'
import { readMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { contractAddress } from './contractInit.ts'
import {
  jettonBurnBody,
  jettonMintBody,
  jettonMinterInit,
  jettonTransferBody,
  jettonWalletAddress,
  provideWalletAddressBody,
} from './jettonContracts.ts'
import { commentBody, onChainContent } from './messages.ts'

const TON = 1_000_000_000n
const alice = address(0, 0xa1)
const bob = address(0, 0xb0)

const createLedger = async (t: Parameters<typeof createTestMachine>[0]): Promise<TinyLedger> =>
  new TinyLedger((await createTestMachine(t)).machine)

test('jettons are minted, sent, burned and counted', async (t) => {
  const ledger = await createLedger(t)
  const init = jettonMinterInit(alice, onChainContent({ name: 'Demo', symbol: 'DEMO', decimals: '9' }))
  const minter = contractAddress(init)
  const wallet = (owner: Address): Address => jettonWalletAddress(owner, minter)
  const balance = async (owner: Address) => intOf((await ledger.runMethod(wallet(owner), 'get_wallet_data'))[0])
  const supply = async () => intOf((await ledger.runMethod(minter, 'get_jetton_data'))[0])

  const mint = jettonMintBody(1n, alice, 1000n, TON / 10n, alice)
  const minted = await ledger.send(incomingMessage(alice, minter, TON, mint, init))
  assert.deepEqual(outcomeOpcodes(minted), ['642b7d07', '178d4519', 'd53276db'])
  assert.deepEqual([await balance(alice), await supply()], [1000n, 1000n])

  const forwardPayload = commentBody('thanks')
  const transfer = { queryId: 2n, amount: 300n, destination: bob, responseDestination: alice, forwardAmount: 7n }
  const body = jettonTransferBody({ ...transfer, forwardPayload })
  const sent = await ledger.send(incomingMessage(alice, wallet(alice), TON, body))
  assert.equal(sent.kind, 'done')
  if (sent.kind !== 'done') return
  assert.deepEqual(outcomeOpcodes(sent), ['0f8a7ea5', '178d4519', '7362d09c', 'd53276db'])
  assert.deepEqual([await balance(alice), await balance(bob), await supply()], [700n, 300n, 1000n])
  const notified = openBody(readWhole(sent.transactions[2]!.inMsg!, readMessage, 'A message').body)
  notified.readUint(32)
  assert.deepEqual([notified.readUint64(), notified.readCoins()], [2n, 300n])
  const sender = readMsgAddress(notified)
  assert.ok(sender.kind === 'std' && toHex(sender.hash) === toHex(alice.hash))
  assert.ok(notified.readBit())
  assert.ok(notified.readRefCell().equals(forwardPayload))

  const burned = await ledger.send(incomingMessage(bob, wallet(bob), TON, jettonBurnBody(3n, 100n, bob)))
  assert.deepEqual(outcomeOpcodes(burned), ['595f07bc', '7bdd97de', 'd53276db'])
  assert.deepEqual([await balance(bob), await supply()], [200n, 900n])
})

test('jettons are refused to strangers and beyond the balance', async (t) => {
  const ledger = await createLedger(t)
  const init = jettonMinterInit(alice, emptyCell)
  const minter = contractAddress(init)
  const wallet = jettonWalletAddress(alice, minter)
  const mint = jettonMintBody(1n, alice, 1000n, TON / 10n, alice)
  // A bounce follows every refusal, to an account that does not exist.
  const refused = (code: number) => [code, 'skipped']
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, minter, TON, mint, init))), refused(73))
  await ledger.send(incomingMessage(alice, minter, TON, mint))
  const order = { queryId: 2n, destination: bob, responseDestination: alice, forwardAmount: 0n }
  const transfer = (amount: bigint) => jettonTransferBody({ ...order, amount, forwardPayload: undefined })
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, wallet, TON, transfer(1n)))), refused(705))
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(alice, wallet, TON, transfer(1001n)))), refused(706))
  const poor = await ledger.send(incomingMessage(alice, wallet, TON / 100n, transfer(1n)))
  assert.deepEqual(outcomeCodes(poor), refused(709))
  const forged = jettonMintBody(1n, alice, 5n, TON / 10n, alice)
  const inner = openBody(readWhole(incomingMessage(alice, wallet, TON, forged), readMessage, 'A message').body)
  inner.readBits(96 + 267)
  inner.readCoins()
  const internalTransfer = inner.readRefCell()
  assert.deepEqual(outcomeCodes(await ledger.send(incomingMessage(bob, wallet, TON, internalTransfer))), refused(707))
  assert.equal(intOf((await ledger.runMethod(wallet, 'get_wallet_data'))[0]), 1000n)
})

test('a minter and its wallets agree about addresses', async (t) => {
  const ledger = await createLedger(t)
  const init = jettonMinterInit(alice, onChainContent({ name: 'Demo' }))
  const minter = contractAddress(init)
  await ledger.send(incomingMessage(alice, minter, TON, jettonMintBody(1n, bob, 1n, TON / 10n, alice), init))
  const wallet = jettonWalletAddress(bob, minter)
  const [found] = await ledger.runMethod(minter, 'get_wallet_address', [addressArgument(bob)])
  assert.equal(addressOf(found), formatRawAddress(wallet))
  const [, owner, master] = await ledger.runMethod(wallet, 'get_wallet_data')
  assert.deepEqual([addressOf(owner), addressOf(master)], [formatRawAddress(bob), formatRawAddress(minter)])
  const [, mintable, admin, content] = await ledger.runMethod(minter, 'get_jetton_data')
  assert.deepEqual([intOf(mintable), addressOf(admin)], [-1n, formatRawAddress(alice)])
  assert.equal(content?.kind, 'cell')
  if (content?.kind !== 'cell') return
  const parsed = readWhole(content.cell, readTokenContent, 'Token content')
  assert.equal(parsed.kind === 'onChain' && parsed.attributes[0]?.name, 'name')
  const bytes = parsed.kind === 'onChain' ? tokenValueBytes(parsed.attributes[0]!.value) : undefined
  assert.equal(bytes && decodeUtf8(bytes), 'Demo')
  const asked = await ledger.send(incomingMessage(bob, minter, TON, provideWalletAddressBody(9n, bob)))
  assert.deepEqual(outcomeOpcodes(asked), ['2c76b973', 'd1735400'])
})
