import assert from 'node:assert/strict'
import { it } from 'node:test'
import { killChains } from '../support/killedChain.ts'
import { isLong } from '../support/testLength.ts'

const KILLS = isLong ? 100 : 4
const SEED = 1

it('a chain in a folder outlives the processes that write it, whenever they are killed', async (t) => {
  const report = await killChains(KILLS, SEED)
  assert.equal(report.kills, KILLS)
  assert.ok(report.steps > 0, 'no step was written')
  t.diagnostic(`seed ${SEED}: ${JSON.stringify(report)}`)
})
