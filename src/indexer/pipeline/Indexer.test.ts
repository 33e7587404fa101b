import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { noContracts } from '../../../test/support/sampleIndex/SampleIndexer.ts'
import { makeWorld } from '../../../test/support/sampleIndex/SampleWorld.ts'
import { toDecodedBlockSet } from '../../../test/support/sampleIndex/toDecodedBlockSet.ts'
import { Metrics } from '../../observe/Metrics.ts'
import type { DecodedBlockSet, RawBlockSet } from '../blockSets.ts'
import { createBlocksOnlyResolver } from '../sources/resolveAccounts.ts'
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

/** Indexes a world whose block sets have contents of this size, into a store that is slower than the source. */
const indexInto = async (world: readonly DecodedBlockSet[], contentBytes: number) => {
  const bytes = new Uint8Array(contentBytes)
  const batches: number[] = []
  let fetched = 0
  let most = 0
  let written = 0
  const parts: IndexerStages = {
    source: {
      async *watchHeads(signal: AbortSignal) {
        yield { seqno: world.length }
        await once(signal, 'abort').catch(() => undefined)
      },
      fetchBlockSet: async (seqno: number) => {
        fetched++
        // How large they are is known when the first have come.
        if (seqno > 20) most = Math.max(most, fetched - written)
        return { seqno }
      },
    } as unknown as IndexerStages['source'],
    decode: async ({ seqno }: RawBlockSet) => {
      const decoded = world[seqno - 1]!
      return { ...decoded, contents: { ...decoded.contents, rows: { ...decoded.contents.rows, bytes } } }
    },
    looks: { resolver: createBlocksOnlyResolver(), inspect: async () => noContracts },
    store: {
      load: async () => ({ ranges: [], retainedFrom: 0, partitionWidth: 1000 }),
      commit: async ({ blockSets }) => {
        await delay(20)
        written += blockSets.length
        batches.push(blockSets.length)
      },
      lowestKept: () => 0,
      dropBefore: () => Promise.reject(new Error('nothing is to be dropped')),
      clearBefore: () => Promise.reject(new Error('nothing is to be cleared')),
    },
  }
  const metrics = createStageMetrics(new Metrics())
  const watchdog = new StallWatchdog(silentLogger, metrics)
  const options = { order: 'ascending', from: 1, to: world.length, logger: silentLogger, metrics, watchdog } as const
  await new Indexer(parts, options).run(new AbortController().signal)
  assert.equal(written, world.length)
  return { most, largestBatch: Math.max(...batches) }
}

test('large block sets are prepared a few at a time, small ones many', async () => {
  const world = makeWorld({ seed: 3, blockSets: 60, width: 2 }).map(toDecodedBlockSet)
  const large = await indexInto(world, 8 << 20)
  assert.equal(large.largestBatch, 2)
  assert.ok(large.most <= 15, `${large.most} block sets of 8 MiB were held at once`)
  const small = await indexInto(world, 1 << 10)
  assert.ok(small.largestBatch > 10 && small.most > 20, `${small.most} held at once, ${small.largestBatch} in a batch`)
})
