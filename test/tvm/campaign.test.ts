import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Campaign, type CampaignOptions } from '../support/vmCampaign.ts'
import { EmulatorOracle } from '../support/vmOracles.ts'

// The short form of scripts/vmCampaign.ts.

const runCampaign = async (options: CampaignOptions, runs: number): Promise<Campaign> => {
  const oracle = await EmulatorOracle.open()
  const campaign = new Campaign(oracle, options)
  for await (const { request, differences, knownError } of campaign.run(runs)) {
    if (knownError !== undefined) continue
    assert.deepEqual(differences, [], `seed ${options.seed}: ${JSON.stringify(campaign.whole(request))}`)
  }
  return campaign
}

test('generated programs end as they do in the emulator', async () => {
  const { counts, coverage } = await runCampaign({ kind: 'code', seed: 7 }, 400)
  assert.ok(counts.passed > 380, JSON.stringify(counts))
  for (const code of [0, 2, 4, 5, 6, 7, 9]) {
    assert.ok(coverage.exitCodes.has(code), `no run ended with ${code}`)
  }
})

test('transactions with dictionaries that are malformed or written strangely come out as those of the emulator', async () => {
  const { counts, coverage } = await runCampaign({ kind: 'transactions', seed: 8, mix: ['dictionaries'] }, 800)
  assert.ok(counts.passed > 750, JSON.stringify(counts))
  for (const code of [0, 34, 38, 42, 44]) {
    assert.ok((coverage.actionCodes.get(code) ?? 0) > 0, `no action phase ended with ${code}`)
  }
})

test('generated transactions come out as those of the emulator', async () => {
  const { counts, coverage } = await runCampaign({ kind: 'transactions', seed: 3 }, 1500)
  assert.ok(counts.passed > 1450, JSON.stringify(counts))
  for (const code of [0, 32, 34, 35, 36, 37, 38, 40]) {
    assert.ok((coverage.actionCodes.get(code) ?? 0) > 0, `no action phase ended with ${code}`)
  }
})
