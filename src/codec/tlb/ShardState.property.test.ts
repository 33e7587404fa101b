import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeConfigParam } from '../../../test/support/decodeConfigParam.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { sampleStateCell } from '../../../test/support/sampleState.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { openAccount } from './Account.ts'
import { openMcStateExtra, openMcStateHistory } from './McStateExtra.ts'
import { openShardAccounts } from './ShardAccounts.ts'
import { listShards } from './ShardHashes.ts'
import { openShardState, openStateTotals, writeShardState } from './ShardState.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** Reads all that a state holds, down to the last account and parameter. */
const readAll = (cell: typeof sampleStateCell): void => {
  const state = openShardState(cell)
  assert.deepEqual(toPlain(openShardState(writeWhole(writeShardState, state))), toPlain(state))
  if (state.kind === 'split') return
  for (const [, { account }] of openShardAccounts(state.accounts).entries()) openAccount(account)
  for (const [, { publishers }] of openStateTotals(state.totals).libraries.entries()) publishers.entries()
  if (state.custom === undefined) return
  const extra = openMcStateExtra(state.custom)
  listShards(extra.shardHashes)
  const { prevBlocks, blockCreateStats } = openMcStateHistory(extra.history)
  prevBlocks.entries()
  blockCreateStats?.creators.entries()
  for (const [id, param] of extra.config.config.entries()) decodeConfigParam(id, param)
}

test('a spoilt state is read or refused with one of our errors, whatever is wrong with it', (t) => {
  t.diagnostic(`seed ${seed}`)
  readAll(sampleStateCell)
  let passed = 0
  let refused = 0
  fc.assert(
    fc.property(arbitraryMutant(sampleStateCell), ({ cell }) => {
      if (passesOrFailsCoded(() => readAll(cell))) passed++
      else refused++
    }),
    { seed, numRuns: 3000 },
  )
  t.diagnostic(`${passed} were read, ${refused} refused`)
  assert(passed > 300 && refused > 300)
})
