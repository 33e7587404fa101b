import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { startIndexer } from '../../src/cli/index/startIndexer.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import type { BlockSetSource } from '../../src/indexer/ports.ts'
import { BlockSetUnavailableError } from '../../src/indexer/sources/checkRawBlock.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { silentLogger } from '../support/databaseServer.ts'
import { openPackages } from '../support/localnetSources.ts'
import { closeSharedMachine, shareMachine } from '../support/testNetwork.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

/** Its head stands at one block until told to move, and the blocks in between cannot be had until one from above was. */
const holdBack = (source: BlockSetSource, first: number, then: number) => {
  let move: () => void = () => undefined
  const moved = new Promise<void>((resolve) => {
    move = resolve
  })
  let isHeadKnown = false
  const held: BlockSetSource = {
    ...source,
    watchHeads: async function* (signal) {
      yield await source.getBlockId(first, signal)
      await moved
      yield await source.getBlockId(then, signal)
      await delay(600_000, undefined, { signal })
    },
    fetchBlockSet: async (seqno, signal) => {
      isHeadKnown ||= seqno === then
      if (seqno > first && !isHeadKnown) throw new BlockSetUnavailableError(`Block ${seqno} is not there now.`)
      return source.fetchBlockSet(seqno, signal)
    },
  }
  return { held, move: () => move() }
}

test('one who has fallen far behind begins anew at the head, and fills the gap though history was complete', {
  timeout: 120_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const { held, move } = holdBack(createBlockSetSource(openPackages()), 100, 300)
  const chain: IndexedChain = {
    blockSets: held,
    states: undefined,
    zeroState: new Uint8Array(32),
    order: 'newestFirst',
  }
  const ending = new AbortController()
  t.after(() => ending.abort())
  const indexer = startIndexer({
    chain,
    database: await openFreshDatabase(t),
    vm: await shareMachine(),
    decode: async (blockSet) => decodeBlockSet(blockSet),
    dnsZones: dnsZones.main,
    from: 80,
    to: undefined,
    maxCatchUp: 50,
    logger: silentLogger,
    metrics: new Metrics(),
    signal: ending.signal,
  })
  const until = (isSo: () => boolean): Promise<void> =>
    waitUntil(() => `the ranges are ${JSON.stringify(indexer.progress?.ranges)}`, isSo, { timeoutMs: 50_000 })
  const isCovered = (first: number, last: number) => (): boolean => {
    const ranges = indexer.progress?.ranges ?? []
    return ranges.length === 1 && ranges[0]!.first === first && ranges[0]!.last === last
  }
  await until(isCovered(80, 100))
  // By now it knows that there is no history left to fill.
  await delay(100)
  move()
  await until(isCovered(80, 300))
  ending.abort()
  await indexer.done
})
