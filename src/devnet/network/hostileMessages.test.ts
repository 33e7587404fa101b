import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { beginCell, Address as CoreAddress } from '@ton/core'
import {
  closeSharedMachine,
  coins,
  findAccountNow,
  startTestNetwork,
  type TestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { toUpperHex } from '../../primitives/hex.ts'
import { contractInit } from '../contracts/contractInit.ts'
import { LiteserverError } from '../liteserver/LiteFunction.ts'

after(closeSharedMachine)

const PREFIX = 'cannot apply external message to current state : '

const refusalOf = async (
  { liteserver }: TestNetwork,
  body: Uint8Array,
): Promise<{ code: number; text: string } | 'taken'> => {
  try {
    await liteserver.sendMessage(body)
    return 'taken'
  } catch (error) {
    assert.ok(error instanceof LiteserverError, String(error))
    return { code: error.serverCode, text: error.serverText }
  }
}

const headerTo = (address: Address) =>
  beginCell()
    .storeUint(0b10, 2)
    .storeAddress(null)
    .storeAddress(CoreAddress.parse(formatRawAddress(address)))
    .storeCoins(0)

const chainOf = (depth: number) => {
  let cell = beginCell().endCell()
  for (let k = 0; k < depth; k++) cell = beginCell().storeUint(k, 16).storeRef(cell).endCell()
  return cell
}

test('what is no message at all is refused in the words of a node', async (t) => {
  const network = await startTestNetwork(t)
  const alice = network.accounts[0]!.wallet.address
  const good = headerTo(alice).storeUint(0, 2).endCell().toBoc()
  const noise = Buffer.alloc(70_000, 7)
  const wide = beginCell()
  const flipped = Buffer.from(good)
  flipped[20]! ^= 1
  const cases: [name: string, body: Uint8Array, reason: string | RegExp][] = [
    ['nothing', new Uint8Array(0), 'external message is not a valid bag of cells'],
    ['a few bytes', Buffer.from('00112233', 'hex'), 'cannot deserialize bag-of-cells: invalid header, error 0'],
    ['noise', noise.subarray(0, 1000), 'cannot deserialize bag-of-cells: invalid header, error 0'],
    ['too much', noise, 'external message too large, rejecting'],
    ['a bag cut short', good.subarray(0, good.length - 9), 'external message is not a valid bag of cells'],
    ['a wrong checksum', flipped, /^bag-of-cells CRC32C mismatch: expected 0x[0-9a-f]{8}, found 0x[0-9a-f]{8}$/],
    ['an empty cell', wide.endCell().toBoc(), 'external message must begin with ext_in_msg_info$10'],
    [
      'an internal message',
      beginCell().storeUint(0, 4).endCell().toBoc(),
      'external message must begin with ext_in_msg_info$10',
    ],
    [
      'a header and nothing more',
      beginCell().storeUint(0b10, 2).endCell().toBoc(),
      'external message is not a (Message Any) according to automated checks',
    ],
    [
      'bits after a body in a reference',
      headerTo(alice).storeUint(0b01, 2).storeRef(beginCell().endCell()).storeUint(5, 8).endCell().toBoc(),
      'external message is not a (Message Any) according to automated checks',
    ],
    [
      'a deep one',
      headerTo(alice).storeUint(0b01, 2).storeRef(chainOf(511)).endCell().toBoc(),
      'external message is too deep',
    ],
    [
      'to an address of another kind',
      beginCell()
        .storeUint(0b10, 2)
        .storeUint(0, 2)
        .storeUint(0b110, 3)
        .storeUint(256, 9)
        .storeInt(0, 32)
        .storeBuffer(Buffer.alloc(32))
        .storeCoins(0)
        .storeUint(0, 2)
        .endCell()
        .toBoc(),
      "Can't parse destination address",
    ],
  ]
  for (const [name, body, reason] of cases) {
    const refusal = await refusalOf(network, body)
    assert.ok(refusal !== 'taken', name)
    assert.equal(refusal.code, 0, name)
    if (typeof reason === 'string') assert.equal(refusal.text, PREFIX + reason, name)
    else assert.match(refusal.text.slice(PREFIX.length), reason, name)
  }
  assert.equal(network.controls.getStatus().waitingMessages, 0)
  // A depth that is just allowed gets as far as the contract.
  const deepest = headerTo(alice).storeUint(0b01, 2).storeRef(chainOf(510)).endCell().toBoc()
  assert.equal(((await refusalOf(network, deepest)) as { code: number }).code, -701)
})

test('accounts that cannot take a message refuse it in the words of a node', async (t) => {
  const network = await startTestNetwork(t)
  const { controls } = network
  await controls.mine(1)
  const to = (workchain: number, fill: number) => ({ workchain, hash: new Uint8Array(32).fill(fill) })
  const empty = (address: Address) => headerTo(address).storeUint(0, 2).endCell().toBoc()
  assert.deepEqual(await refusalOf(network, empty(to(0, 0x99))), {
    code: 0,
    text: `${PREFIX}Failed to unpack account state`,
  })
  assert.deepEqual(await refusalOf(network, empty(to(5, 0x99))), {
    code: 651,
    text: `${PREFIX}no shard in masterchain state for account 5:0x9999999999999999`,
  })
  const notRun = `${PREFIX}External message was not accepted: cannot run message on account: inbound external message rejected by`
  // Money, but no code.
  await controls.faucet(to(0, 0x98), 10n ** 9n)
  await controls.mine(2)
  assert.deepEqual(await refusalOf(network, empty(to(0, 0x98))), {
    code: -701,
    text: `${notRun} transaction ${'98'.repeat(32)}:\nexitcode=0, steps=0, gas_used=0`,
  })
  // Too poor to pay for the message.
  await controls.setAccount({
    address: to(0, 0x97),
    balance: coins(1n),
    state: { kind: 'active', init: contractInit(emptyCell, emptyCell) },
  })
  assert.deepEqual(await refusalOf(network, empty(to(0, 0x97))), {
    code: -701,
    text: `${notRun} account ${'97'.repeat(32)} before smart-contract execution`,
  })
})

test('wrong, expired and replayed orders of wallets are refused and do no harm', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const [alice, bob] = accounts
  const hex = toUpperHex(alice!.wallet.address.hash)
  const to = bob!.wallet.address
  const good = transferOf(network, alice!, { seqno: 0, to })
  const forged = transferOf(network, { ...alice!, key: bob!.key }, { seqno: 0, to })
  const ahead = transferOf(network, alice!, { seqno: 7, to })
  const expired = transferOf(network, alice!, { seqno: 0, to, validUntil: controls.getStatus().utime - 1 })
  const expect = async (body: Uint8Array, exitCode: number): Promise<void> => {
    const refusal = await refusalOf(network, body)
    assert.ok(refusal !== 'taken')
    assert.equal(refusal.code, -701)
    const head = `${PREFIX}External message was not accepted: cannot run message on account: inbound external message rejected by transaction ${hex}:\nexitcode=${exitCode}, steps=`
    assert.equal(refusal.text.slice(0, head.length), head)
    assert.match(
      refusal.text.slice(head.length),
      new RegExp(
        `^[0-9]+, gas_used=0\\nVM Log \\(truncated\\):\\n\\.\\.\\.(.*\\n)+default exception handler, terminating vm with exit code ${exitCode}\\n$`,
      ),
    )
  }
  await expect(encodeBoc([forged]), 35)
  await expect(encodeBoc([ahead]), 33)
  await expect(encodeBoc([expired]), 36)
  assert.equal(await refusalOf(network, encodeBoc([good])), 'taken')
  await controls.mine(1)
  await controls.moveClock(61)
  await expect(encodeBoc([good]), 33)
  await controls.mine(2)
  assert.ok(findAccountNow(network, to)!.balance.grams > 1_000_000_999_000_000n)
  assert.deepEqual(network.logLines, [])
})

test('an order that no longer fits when its block is made is dropped', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts, logLines } = network
  const [alice, bob, carol] = accounts
  await controls.send(transferOf(network, alice!, { seqno: 0, to: bob!.wallet.address }))
  await controls.send(transferOf(network, alice!, { seqno: 0, to: carol!.wallet.address }))
  assert.equal(controls.getStatus().waitingMessages, 2)
  await controls.mine(1)
  assert.equal(controls.getStatus().waitingMessages, 0)
  assert.equal(logLines.length, 1)
  assert.match(logLines[0]!, /"message":"message rejected"/)
})
