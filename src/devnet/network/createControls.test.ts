import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  balanceNow,
  closeSharedMachine,
  coins,
  findAccountNow,
  startTestNetwork,
  TEST_START,
  type TestNetwork,
  transferOf,
} from '../../../test/support/testNetwork.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { contractInit } from '../contracts/contractInit.ts'
import { LiteserverError } from '../liteserver/LiteFunction.ts'
import {
  ControlInputError,
  NetworkClosedError,
  SnapshotNotFoundError,
  TransactionNotFoundError,
  TransactionRunError,
} from './errors.ts'

after(closeSharedMachine)

const GRAM = 1_000_000_000n
const nobody = (fill: number, workchain = 0): Address => ({ workchain, hash: new Uint8Array(32).fill(fill) })

type Found = { readonly cell: Cell; readonly transaction: Transaction; readonly seqno: number }

/** All transactions of an account, by the blocks that are there. */
const listTransactions = ({ store }: TestNetwork, { workchain, hash }: Address): Found[] => {
  const found: Found[] = []
  for (let seqno = 1; seqno <= store.head!.id.seqno; seqno++) {
    for (const { id } of [store.findMaster(seqno)!, ...store.index.listIncluded(seqno)]) {
      if (id.workchain !== workchain) continue
      const blocks = openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra))
      for (const [, cell] of blocks.find(hash)?.transactions.entries() ?? []) {
        found.push({ cell, transaction: readTransaction(openCell(cell)), seqno })
      }
    }
  }
  return found
}

test('the faucet gives to all who ask in one moment by one message, and by several in a row', async (t) => {
  const network = await startTestNetwork(t)
  const { controls } = network
  const asked = [...Array(300).keys()].map((k) => {
    const hash = new Uint8Array(32).fill(k & 0xff)
    hash[0] = k >> 8
    return { workchain: 0, hash }
  })
  const sent = await Promise.all(asked.map((address, k) => controls.faucet(address, GRAM + BigInt(k))))
  // One list of actions holds 255.
  assert.equal(new Set(sent.map(({ messageHash }) => messageHash.join())).size, 2)
  assert.equal(controls.getStatus().waitingMessages, 2)
  await controls.faucet(nobody(9, -1), 7n * GRAM)
  await controls.mine(3)
  for (const [k, address] of asked.entries()) assert.equal(balanceNow(network, address), GRAM + BigInt(k), `${k}`)
  assert.equal(balanceNow(network, nobody(9, -1)), 7n * GRAM)
  assert.equal(listTransactions(network, network.faucet).length, 3)

  await assert.rejects(controls.faucet(nobody(1), 0n), ControlInputError)
  await assert.rejects(controls.faucet(nobody(1, 5), 1n), ControlInputError)
  await assert.rejects(controls.faucet(nobody(1), 10n ** 21n), /The faucet has [0-9]+ nanograms left/)
})

test('blocks are mined, and the clock is moved, within bounds', async (t) => {
  const { controls, store } = await startTestNetwork(t)
  assert.equal((await controls.mine(5)).seqno, 6)
  assert.equal(store.head?.genUtime, TEST_START + 6)
  const { utime, clockOffset } = await controls.moveClock(100)
  assert.deepEqual({ utime, clockOffset }, { utime: TEST_START + 107, clockOffset: 100 })
  await controls.mine(1)
  assert.equal(store.head?.genUtime, TEST_START + 107)
  for (const blocks of [0, -1, 1.5, 10_001, Number.NaN]) await assert.rejects(controls.mine(blocks), ControlInputError)
  for (const seconds of [0, -5, 400_000_000]) await assert.rejects(controls.moveClock(seconds), ControlInputError)
  await assert.rejects(
    controls.setMining({ mode: 'interval', intervalMs: 100, emptyBlocks: true }),
    /The milliseconds between blocks must be a whole number from 200 to 3600000, but got 100\./,
  )
})

test('a revert brings back chain, messages and clock, and takes later snapshots away', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, store, accounts } = network
  const [alice, bob] = accounts
  await controls.mine(3)
  await controls.send(transferOf(network, alice!, { seqno: 0, to: nobody(1) }))
  const { id, head } = await controls.snapshot()
  const before = controls.getStatus()

  await controls.mine(2)
  const first = formatBlockIdExt(store.head!.id)
  assert.equal(balanceNow(network, nobody(1)), GRAM)
  const later = await controls.snapshot()
  await controls.moveClock(1000)
  await controls.send(transferOf(network, bob!, { seqno: 0, to: nobody(2) }))

  assert.deepEqual(await controls.revert(id), head)
  assert.deepEqual(controls.getStatus(), before)
  assert.equal(balanceNow(network, nobody(1)), 0n)
  await assert.rejects(controls.revert(later.id), SnapshotNotFoundError)
  await assert.rejects(controls.revert('none'), SnapshotNotFoundError)
  await controls.mine(2)
  assert.equal(formatBlockIdExt(store.head!.id), first)
  assert.equal(balanceNow(network, nobody(2)), 0n)
  // A snapshot can be gone back to again.
  assert.deepEqual(await controls.revert(id), head)
})

test('accounts are set without a transaction, in a block of their own', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, store } = network
  await controls.mine(1)
  const address = nobody(0x77)
  const init = contractInit(new CellWriter().writeUint(0xf2, 8).toCell(), emptyCell)
  await Promise.all([
    controls.setAccount({ address, balance: coins(5n * GRAM), state: { kind: 'active', init } }),
    controls.setAccount({ address: nobody(3, -1), balance: coins(1n), state: undefined }),
  ])
  assert.equal(store.head?.id.seqno, 3)
  assert.equal(balanceNow(network, address), 5n * GRAM)
  assert.equal(balanceNow(network, nobody(3, -1)), 1n)
  assert.equal(findAccountNow(network, address)?.state.kind, 'active')
  await controls.setAccount({ address, balance: undefined, state: { kind: 'none' } })
  assert.equal(findAccountNow(network, address), undefined)
  await assert.rejects(controls.setAccount({ address, balance: coins(-1n), state: undefined }), ControlInputError)
})

test('anyone can be made to send a message', async (t) => {
  const network = await startTestNetwork(t)
  const { controls } = network
  const body = new CellWriter().writeUint(0xdeadbeef, 32).toCell()
  const message = { value: coins(3n * GRAM), bounce: false, stateInit: undefined, body }
  const source = nobody(0x11, -1)
  const sent = await Promise.all(
    [nobody(0x22), nobody(0x44, -1)].map((destination) => controls.impersonate({ ...message, source, destination })),
  )
  assert.equal(network.store.head?.id.seqno, 2)
  const [first] = listTransactions(network, nobody(0x22))
  assert.deepEqual(first?.transaction.inMsg?.hash(), sent[0]?.messageHash)
  assert.equal(balanceNow(network, nobody(0x22)), 3n * GRAM)
  assert.equal(balanceNow(network, nobody(0x44, -1)), 3n * GRAM)
})

test('messages are lost, delayed and held as told', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts, store } = network
  const [alice, bob, carol] = accounts
  await controls.disturb({ kind: 'lose' })
  await controls.send(transferOf(network, alice!, { seqno: 0, to: nobody(1) }))
  assert.equal(controls.getStatus().waitingMessages, 0)

  await controls.disturb({ kind: 'delay', blocks: 3 })
  await controls.send(transferOf(network, bob!, { seqno: 0, to: nobody(2) }))
  const sentAt = store.head!.id.seqno
  await controls.send(transferOf(network, carol!, { seqno: 0, to: nobody(3) }))
  await controls.mine(5)
  assert.deepEqual(
    [alice!, bob!, carol!].map(({ wallet }) => listTransactions(network, wallet.address)[0]?.seqno),
    [undefined, sentAt + 4, sentAt + 1],
  )

  await controls.disturb({ kind: 'holdInternal', blocks: 2 })
  await controls.send(transferOf(network, carol!, { seqno: 1, to: nobody(4) }))
  await controls.mine(2)
  assert.equal(balanceNow(network, nobody(4)), 0n)
  await controls.mine(1)
  assert.equal(balanceNow(network, nobody(4)), GRAM)
  await assert.rejects(controls.disturb({ kind: 'delay', blocks: 1_000_000 }), ControlInputError)
})

test('shards are split and merged when asked for', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, store } = network
  await controls.reshard('split')
  for (let blocks = 0; store.shardTops.length < 2 && blocks < 20; blocks++) await controls.mine(1)
  assert.equal(store.shardTops.length, 2)
  await controls.mine(3)
  assert.equal(store.shardTops.length, 2)
  await controls.reshard('merge')
  for (let blocks = 0; store.shardTops.length > 1 && blocks < 40; blocks++) await controls.mine(1)
  assert.equal(store.shardTops.length, 1)
})

test('the virtual machine tells what it did in a transaction', async (t) => {
  const network = await startTestNetwork(t, { keepStates: 8 })
  const { controls, accounts } = network
  const [alice, bob] = accounts
  for (const seqno of [0, 1]) {
    await controls.send(transferOf(network, alice!, { seqno, to: bob!.wallet.address }))
    await controls.mine(1)
  }
  const all = [alice!, bob!].flatMap(({ wallet }) => listTransactions(network, wallet.address))
  assert.equal(all.length, 4)
  for (const { cell, transaction } of all) {
    const log = await controls.getTransactionLog(cell.hash())
    const steps = log.split('\n').filter((line) => line.startsWith('execute ')).length
    const { description } = transaction
    assert.ok(description.kind === 'ord' && description.computePhase.kind === 'vm')
    assert.equal(steps, description.computePhase.vmSteps)
  }
  await assert.rejects(controls.getTransactionLog(new Uint8Array(32)), TransactionNotFoundError)
  await assert.rejects(controls.getTransactionLog(new Uint8Array(31)), ControlInputError)

  // A transaction on what a developer put there is not made of transactions alone.
  const message = { source: nobody(1), value: coins(GRAM), bounce: false, stateInit: undefined, body: emptyCell }
  await Promise.all([
    controls.setAccount({ address: bob!.wallet.address, balance: coins(GRAM), state: undefined }),
    controls.impersonate({ ...message, destination: bob!.wallet.address }),
  ])
  const changed = listTransactions(network, bob!.wallet.address).at(-1)!
  await assert.rejects(controls.getTransactionLog(changed.cell.hash()), TransactionRunError)

  await controls.mine(20)
  await assert.rejects(controls.getTransactionLog(all[0]!.cell.hash()), /was not found in the masterchain blocks/)
})

test('a closed network says so', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const mining = controls.mine(50)
  await network.close()
  await assert.rejects(mining, NetworkClosedError)
  await assert.rejects(controls.faucet(accounts[0]!.wallet.address, 1n), NetworkClosedError)
  await assert.rejects(controls.snapshot(), NetworkClosedError)
  const seqno = network.store.head!.id.seqno
  assert.ok(seqno < 50, `${seqno}`)
})

test('a message is known by its hash for a minute', async (t) => {
  const network = await startTestNetwork(t)
  const { controls, accounts } = network
  const message = transferOf(network, accounts[0]!, { seqno: 0, to: nobody(1) })
  const { messageHash } = await controls.send(message)
  assert.ok(bytesEqual(messageHash, message.hash()))
  const isDuplicate = (error: unknown): boolean =>
    error instanceof LiteserverError && error.serverText === 'cannot send external message : duplicate message'
  await assert.rejects(controls.send(message), isDuplicate)
  await controls.mine(1)
  await assert.rejects(controls.send(message), isDuplicate)
  await controls.moveClock(60)
  await assert.rejects(controls.send(message), /exitcode=33, steps=/)
})
