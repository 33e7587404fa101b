import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contractAt, findAmong, runnerOf } from '../../test/support/contractRunner.ts'
import { haveFixtures, readFixture } from '../../test/support/fixtures.ts'
import { filled } from '../../test/support/sampleMessages.ts'
import { createTestMachine, sampleContext } from '../../test/support/vmSamples.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { CellWriter, emptyCell } from '../codec/cell/CellWriter.ts'
import { Dict, type DictType, writeDict } from '../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { bytesKey, presenceValue } from '../codec/cell/dictTypes.ts'
import { contractInit } from '../devnet/contracts/contractInit.ts'
import { vestingInit } from '../devnet/contracts/vestingContract.ts'
import type { Address } from '../primitives/Address.ts'
import { concatBytes } from '../primitives/bytes.ts'
import { findVesting } from './vesting.ts'

const { machine } = await createTestMachine({ after })

const at = (byte: number, workchain = 0): Address => ({ workchain, hash: filled(byte) })

const terms = {
  startTime: 1_717_200_000,
  totalDuration: 31_104_000,
  unlockPeriod: 2_592_000,
  cliffDuration: 7_776_000,
  totalAmount: 1_000_000_000_000n,
  sender: at(2),
  owner: at(3),
}

const { data } = vestingInit({ ...terms, ownerKey: filled(4) })

const listType: DictType<Uint8Array, true> = { key: bytesKey(33), value: presenceValue }

/** The same data with addresses on its list. */
const listed = (...addresses: readonly Address[]) => {
  const r = openCell(data!)
  const w = new CellWriter().writeBits(r.readBits(320), 320)
  r.skipBits(1)
  const keys = addresses.map(({ workchain, hash }) => concatBytes([new Uint8Array([workchain & 0xff]), hash]))
  writeDict(
    w,
    Dict.of(
      listType,
      keys.map((key) => [key, true] as const),
    ),
  )
  return w.writeRef(r.readRefCell()).toCell()
}

const { code: ownCode } = vestingInit({ ...terms, ownerKey: filled(4) })

const find = (code: typeof ownCode, content: typeof data) =>
  findVesting(runnerOf(machine, sampleContext(), findAmong([contractAt(at(1), contractInit(code!, content!))])), at(1))

test('a vesting wallet of our own is read', async () => {
  assert.deepEqual(await find(ownCode, data), { ...terms, whitelist: [] })
  const whitelist = [at(5), at(9), at(0x33, -1)]
  assert.deepEqual(await find(ownCode, listed(at(0x33, -1), at(9), at(5))), { ...terms, whitelist })
})

test('the vesting wallet of the main network reads the same data the same way', async (t) => {
  const path = 'mainnet/contracts/wallets/wallet_vesting/WalletVesting_b48b531a.boc'
  if (!haveFixtures(t, path)) return
  const code = decodeSingleBoc(readFixture(path))
  assert.deepEqual(await find(code, listed(at(9))), { ...terms, whitelist: [at(9)] })
})

test('other contracts are none', async () => {
  assert.equal(await find(ownCode, emptyCell), undefined)
  const run = runnerOf(machine, sampleContext(), findAmong([]))
  assert.equal(await findVesting(run, at(1)), undefined)
})
