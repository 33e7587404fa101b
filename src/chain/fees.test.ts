import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { address, amount, filled } from '../../test/support/sampleMessages.ts'
import { createTestMachine, sampleContext, sampleVmConfig } from '../../test/support/vmSamples.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { type StorageInfo, writeAccount } from '../codec/tlb/Account.ts'
import { configDictType, encodeConfigParam } from '../codec/tlb/config/configParams.ts'
import { type StoragePrices, storagePriceListType } from '../codec/tlb/config/prices.ts'
import { writeMessage } from '../codec/tlb/Message.ts'
import { readTransaction } from '../codec/tlb/Transaction.ts'
import { forwardFee, measureMessage, storageFee } from './fees.ts'

const { machine } = await createTestMachine({ after })

/** Prices that went up twice, the last time while our accounts were already there. */
const prices: readonly StoragePrices[] = [0, 1_600_000_000, 1_699_990_000].map((utimeSince, period) => ({
  utimeSince,
  bitPrice: BigInt(3 * period + 1),
  cellPrice: BigInt(700 * period + 500),
  masterchainBitPrice: BigInt(2000 * period + 1000),
  masterchainCellPrice: BigInt(900_000 * period + 500_000),
}))

const forward = { lumpPrice: 400_000n, bitPrice: 26_214_400n, cellPrice: 2_621_440_000n }

const config = new Dict(configDictType, sampleVmConfig()).set(
  18,
  encodeConfigParam(
    18,
    Dict.of(
      storagePriceListType,
      prices.map((price) => [price.utimeSince, price] as const),
    ),
  ),
).root as Cell

// Accepts whatever comes, and does nothing.
const code = new CellWriter().writeUint(0xf800, 16).toCell()

const externalTo = (workchain: number, body: Cell): Cell =>
  writeWhole(writeMessage, {
    info: { kind: 'externalIn', source: { kind: 'none' }, destination: address(workchain, 2), importFee: 0n },
    init: undefined,
    body,
  })

/** What the network's own rules take for a message that comes to such an account. */
const charge = async (workchain: number, storage: StorageInfo, now: number, message: Cell) => {
  const init = { fixedPrefixLength: undefined, special: undefined, code, data: emptyCell, library: undefined }
  const account = writeWhole(writeAccount, {
    kind: 'account',
    address: address(workchain, 2),
    storage,
    lastTransLt: 1_000_001n,
    balance: amount(10n ** 15n),
    state: { kind: 'active', init },
  })
  const run = await machine.runTransaction({
    account: { account, lastTransHash: filled(9), lastTransLt: 1_000_000n },
    cause: { kind: 'message', message },
    lt: 2_000_001n,
    context: sampleContext({ config, now }),
    ignoreSignatures: false,
    log: 'none',
  })
  assert.ok(run.kind === 'executed')
  const { description, totalFees } = readTransaction(openCell(run.transaction))
  assert.ok(description.kind === 'ord' && description.computePhase.kind === 'vm')
  const collected = description.storagePhase?.storageFeesCollected ?? 0n
  return { storage: collected, inForward: totalFees.grams - collected - description.computePhase.gasFees }
}

const storages: readonly StorageInfo[] = [
  { used: { cells: 1n, bits: 1n }, dictHash: undefined, lastPaid: 1_699_999_999, duePayment: undefined },
  { used: { cells: 3n, bits: 1315n }, dictHash: undefined, lastPaid: 1_699_995_000, duePayment: 77n },
  { used: { cells: 22n, bits: 6001n }, dictHash: undefined, lastPaid: 1_699_980_000, duePayment: undefined },
  { used: { cells: 400n, bits: 100_001n }, dictHash: undefined, lastPaid: 1_500_000_000, duePayment: 5n },
  { used: { cells: 7n, bits: 70n }, dictHash: undefined, lastPaid: 0, duePayment: undefined },
  { used: { cells: 7n, bits: 70n }, dictHash: undefined, lastPaid: 1_700_000_000, duePayment: undefined },
]

test('storage costs what the virtual machine takes for it, over changes of the prices', async () => {
  const message = externalTo(0, emptyCell)
  for (const storage of storages) {
    for (const now of [1_700_000_000, 1_700_000_001, 1_700_123_456]) {
      const { storage: taken } = await charge(0, storage, now, message)
      assert.equal(storageFee(prices, storage, 0, now), taken, JSON.stringify([storage.lastPaid, now]))
    }
  }
  const master = externalTo(-1, emptyCell)
  for (const storage of storages) {
    const { storage: taken } = await charge(-1, storage, 1_700_000_500, master)
    assert.equal(storageFee(prices, storage, -1, 1_700_000_500), taken)
  }
})

test('a message costs by all its cells but the first, equal ones once', async () => {
  const leaf = new CellWriter().writeUint(5, 13).toCell()
  const twin = new CellWriter().writeRef(leaf).writeRef(leaf).toCell()
  const deep = new CellWriter().writeUint(1, 9).writeRef(twin).writeRef(leaf).toCell()
  const sizes: [body: Cell, cells: bigint, bits: bigint][] = [
    [emptyCell, 1n, 0n],
    [leaf, 1n, 13n],
    [twin, 2n, 13n],
    [deep, 3n, 22n],
  ]
  for (const [body, cells, bits] of sizes) {
    const message = externalTo(0, body)
    assert.deepEqual(measureMessage(message), { cells, bits })
    const { inForward } = await charge(0, storages[0]!, 1_700_000_000, message)
    assert.equal(forwardFee(forward, { cells, bits }), inForward)
  }
})

test('a fraction of a nanogram is paid in full', () => {
  const price = { lumpPrice: 10n, bitPrice: 1n, cellPrice: 0n }
  assert.equal(forwardFee(price, { cells: 0n, bits: 0n }), 10n)
  assert.equal(forwardFee(price, { cells: 0n, bits: 1n }), 11n)
  assert.equal(forwardFee(price, { cells: 0n, bits: 65_536n }), 11n)
  assert.equal(forwardFee(price, { cells: 0n, bits: 65_537n }), 12n)
})
