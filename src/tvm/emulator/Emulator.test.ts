import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, internalMessage } from '../../../test/support/sampleMessages.ts'
import { accountWith, codeOf, sampleVmConfig } from '../../../test/support/vmSamples.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { Emulator } from './Emulator.ts'
import { openEmulatorFiles } from './emulatorFiles.ts'
import { EMULATOR_COMMIT } from './supportedVersion.ts'

const base64 = (cell: Cell): string => toBase64(encodeBoc([cell]))

const account = base64(writeWhole(writeShardAccount, accountWith({ code: codeOf('F800') })))
const message = base64(internalMessage({ value: amount(1_000_000_000n) }))
const params = JSON.stringify({
  utime: 1_700_000_000,
  lt: '2000001',
  rand_seed: '07'.repeat(32),
  ignore_chksig: false,
  debug_enabled: false,
})

type Result = { readonly output: { readonly success: boolean; readonly transaction: string } }

test('it is the build that is expected', async () => {
  const emulator = await Emulator.open(await openEmulatorFiles())
  assert.equal(emulator.readCommit(), EMULATOR_COMMIT)
})

test('wherever its stack happens to lie, it works the same', async (t) => {
  const files = await openEmulatorFiles()
  const program = process.argv[1]!
  t.after(() => {
    process.argv[1] = program
  })
  const transactions = new Set<string>()
  for (let length = 1; length <= 16; length++) {
    // The path of the program is the first thing that the emulator keeps in its memory: it moves all that follows.
    process.argv[1] = 'p'.repeat(length)
    const emulator = await Emulator.open(files)
    const handle = emulator.createHandle(base64(sampleVmConfig()), 0)
    for (let k = 0; k < 4; k++) {
      const { output } = emulator.runTransaction(handle, undefined, account, message, params) as Result
      assert.ok(output.success)
      transactions.add(output.transaction)
    }
  }
  assert.equal(transactions.size, 1)
})

test('there is no handle for what is no configuration', async () => {
  const emulator = await Emulator.open(await openEmulatorFiles())
  assert.equal(emulator.createHandle('not base64', 0), 0)
})
