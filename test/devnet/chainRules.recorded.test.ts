import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openRecordedChain } from '../../src/cli/replay/openRecordedChain.ts'
import { loadChain } from '../../src/devnet/replay/loadChain.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { checkChain } from '../support/chainRules/checkChain.ts'
import { fixturePath, haveFixtures } from '../support/fixtures.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
const { signal } = new AbortController()
const MAX_CPU_SECONDS = 60

describe('the rules of the chain on recorded networks', () => {
  it('hold on every block of the local network', async (t) => {
    const store = await loadLocalnetStore()
    const started = process.cpuUsage()
    const report = await checkChain(store)
    const { user, system } = process.cpuUsage(started)
    const seconds = (user + system) / 1_000_000
    assert.deepEqual(report, {
      blocks: 1511,
      transactions: 3935,
      messages: 5330,
      injected: 0,
      overrides: 0,
      violations: [],
    })
    assert.ok(seconds < MAX_CPU_SECONDS, `${seconds} s of processor time`)
    t.diagnostic(`1511 blocks in ${seconds.toFixed(1)} s of processor time`)
  })

  it('hold on the beginning of the main network, under its first version and five validators', async (t) => {
    if (!haveFixtures(t, 'mainnet/archives')) return
    const folders = ['mainnet/archives/mainnet', 'mainnet/states/mainnet'].map((path) => fixturePath(path))
    const folder = await openRecordedChain(folders, logger, signal)
    t.after(() => folder.close())
    const store = new ChainStore(folder.zeroStates, createMemoryFiles(), { keep: 0 })
    await loadChain(store, folder.chain, { signal, onProgress: () => undefined })
    const { blocks, transactions, messages, violations } = await checkChain(store)
    assert.deepEqual(
      { blocks, transactions, messages, violations },
      { blocks: 299, transactions: 1087, messages: 1678, violations: [] },
    )
  })
})
