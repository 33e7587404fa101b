import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadLocalnetStore } from '../../../test/support/localnetStore.ts'
import { type Counters, type CreatorStats, openMcStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { updateCreateStats } from './advanceHistory.ts'
import { getState, openUnsplit } from './MasterView.ts'

test('counters of blocks fade and grow as in a recorded network', async (t) => {
  const store = await loadLocalnetStore()
  const statsAt = (seqno: number) => {
    const id = seqno === 0 ? store.zeroState : store.findMaster(seqno)!.id
    return openMcStateHistory(openMcStateExtra(openUnsplit(getState(store, id)).custom!).history).blockCreateStats
  }
  const listOf = (stats: ReturnType<typeof statsAt>): [Uint8Array, CreatorStats][] =>
    stats?.kind === 'plain' ? stats.creators.entries() : []
  let largest = 0n
  let compared = 0
  const compare = (a: Counters, b: Counters): void => {
    assert.deepEqual([a.lastUpdated, a.total], [b.lastUpdated, b.total])
    for (const key of ['recent2048', 'recent65536'] as const) {
      const difference = a[key] > b[key] ? a[key] - b[key] : b[key] - a[key]
      if (difference > largest) largest = difference
      compared++
    }
  }
  for (let seqno = 1; seqno <= 400; seqno++) {
    const recorded = listOf(statsAt(seqno))
    const creator = recorded.at(-1)![0]
    const included = store.index.listIncluded(seqno).length
    const made = listOf(updateCreateStats(statsAt(seqno - 1), creator, included, store.findMaster(seqno)!.genUtime))
    assert.equal(made.length, recorded.length)
    for (const [at, [key, stats]] of made.entries()) {
      assert.deepEqual(key, recorded[at]![0])
      compare(stats.masterchain, recorded[at]![1].masterchain)
      compare(stats.shards, recorded[at]![1].shards)
    }
  }
  // Two ways of reckoning may differ by one, says the reference.
  assert.ok(largest <= 1n, `The largest difference is ${largest}.`)
  t.diagnostic(`${compared} counters, the largest difference is ${largest}`)
})
