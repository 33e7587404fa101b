import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coins, createOwnChain } from '../../../test/support/OwnChain.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { encodeConfigParam, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMasterView } from '../../devnet/collate/MasterView.ts'
import { specialMessage } from '../../devnet/collate/runMessages.ts'
import { fitConfig } from './fitConfig.ts'

const extension = {
  maxAccountStateCells: 65_536,
  maxMcAccountStateCells: 2048,
  maxAccountPublicLibraries: 256,
  deferOutQueueSizeLimit: 256,
  maxMsgExtraCurrencies: 2,
  maxAccountFixedPrefixLength: 8,
  accountStateCellsForStorageDict: 26,
  maxTransactionLibraryLoads: undefined,
  totalMsg: undefined,
}

test('transactions run under size limits of every form there is', async (t) => {
  const chain = await createOwnChain()
  t.after(() => chain.close())
  const params = openMasterView(chain.store).extra.config.config
  const limits = findConfigParam(params, 43)!
  const forms = [
    { ...limits, extension: undefined },
    { ...limits, extension },
    { ...limits, extension: { ...extension, maxTransactionLibraryLoads: 3 } },
    { ...limits, extension: { ...extension, totalMsg: { maxBits: 1 << 22, maxCells: 1 << 14 } } },
  ]
  const place = { workchain: 0, hash: new Uint8Array(32).fill(3) }
  const message = specialMessage({ source: place, destination: place, value: coins(10n ** 9n), bounce: false }, 5n, 100)
  const hashes = new Set<string>()
  for (const form of forms) {
    const config = params.set(43, encodeConfigParam(43, form)).root as Cell
    const run = await chain.vm.runTransaction({
      account: { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n },
      cause: { kind: 'message', message },
      lt: 1000n,
      context: {
        config,
        now: 1_790_000_000,
        randomSeed: new Uint8Array(32),
        previousBlocks: undefined,
        findLibrary: undefined,
      },
      ignoreSignatures: false,
      log: 'none',
    })
    assert.ok(run.kind === 'executed')
    hashes.add(Buffer.from(run.transaction.hash()).toString('hex'))
  }
  assert.equal(hashes.size, 1)
  const same = params.root as Cell
  assert.equal(fitConfig(same), same)
})
