import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { Indexer } from './Indexer.ts'
import type { IndexerStages } from './IndexStore.ts'
import { createStageMetrics } from './StageMetrics.ts'
import { StallWatchdog } from './StallWatchdog.ts'

test('as many blocks as are fetched ahead wait for a source that hangs, without a warning', async () => {
  const fetched: number[] = []
  let tellAll = (): void => undefined
  const all = new Promise<void>((resolve) => {
    tellAll = resolve
  })
  const parts = {
    source: {
      async *watchHeads(signal: AbortSignal) {
        yield { seqno: 100 }
        await once(signal, 'abort')
      },
      fetchBlockSet: (seqno: number) => {
        fetched.push(seqno)
        if (fetched.length === 12) tellAll()
        return new Promise(() => undefined)
      },
    },
    store: { load: async () => ({ ranges: [], retainedFrom: 0, partitionWidth: 1000 }) },
  } as unknown as IndexerStages
  const warnings: Error[] = []
  const warn = (warning: Error): void => void warnings.push(warning)
  process.on('warning', warn)
  const ending = new AbortController()
  const metrics = createStageMetrics(new Metrics())
  const watchdog = new StallWatchdog(silentLogger, metrics)
  const indexer = new Indexer(parts, { order: 'ascending', from: 1, logger: silentLogger, metrics, watchdog })
  const run = indexer.run(ending.signal)
  await all
  // Warnings come a moment later.
  await nextTurn()
  ending.abort(new Error('that is all'))
  await assert.rejects(run, /that is all/)
  process.off('warning', warn)
  assert.deepEqual(fetched, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  assert.deepEqual(warnings, [])
})
