import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { KilledIndex, type KilledIndexOptions } from './killedIndex.ts'

export type KillTarget = 'indexer' | 'database' | 'both'

export type KillIndexOptions = KilledIndexOptions & { readonly kills: number; readonly what: KillTarget }

const MAX_LIFE_MS = 2000
/** Within which another leads where the one before is gone or hangs. */
const TAKEOVER_MS = 20_000

/**
 * Kills indexers, or their database, again and again while a network goes on. An indexer that is killed is started again; one whose
 * database is killed has to go on by itself. In the end all that is in the blocks is in the database, once.
 */
export const runIndexKills = async ({
  kills,
  what,
  ...options
}: KillIndexOptions): Promise<Record<string, unknown>> => {
  const run = await KilledIndex.start(options)
  const { random } = run
  try {
    let indexer = run.startIndexer()
    let longestMs = 0
    for (let kill = 1; kill <= kills; kill++) {
      // Mostly while it works; now and then while it starts, or while it is still getting over the last time.
      const ms = random.below(4) === 0 ? 0 : await run.waitForMore()
      longestMs = Math.max(longestMs, ms)
      await delay(random.below(MAX_LIFE_MS))
      const isIndexer = what === 'indexer' || (what === 'both' && random.below(2) === 0)
      if (isIndexer) {
        await run.killIndexer(indexer)
        indexer = run.startIndexer()
      }
      const hit = isIndexer ? 'the indexer' : await run.killDatabase()
      options.say(`kill ${kill}: ${hit}; before it went on within ${ms} ms`)
    }
    longestMs = Math.max(longestMs, await run.waitForMore())
    return { what, kills, longestMs, ...(await run.finish()) }
  } finally {
    await run.close()
  }
}

/**
 * Two indexers at once, of which the one that leads is killed, or only stopped, as often as told. Returns how long it took each
 * time until the other one had written.
 */
export const runPair = async (
  options: KilledIndexOptions,
  hits: readonly ('SIGKILL' | 'SIGSTOP')[],
): Promise<Record<string, unknown>> => {
  const run = await KilledIndex.start(options)
  try {
    run.startIndexer()
    run.startIndexer()
    const takeovers: Record<string, unknown>[] = []
    for (const hit of hits) {
      await run.waitForMore()
      const leader = await run.findLeader()
      await delay(run.random.below(1500))
      if (hit === 'SIGKILL') await run.killIndexer(leader)
      else await leader.send('SIGSTOP')
      const start = performance.now()
      await run.findLeader(leader)
      const leadMs = Math.round(performance.now() - start)
      assert.ok(leadMs < TAKEOVER_MS, `It took ${leadMs} ms until the other one led.`)
      await run.waitForMore()
      const writtenMs = Math.round(performance.now() - start)
      takeovers.push({ hit, leadMs, writtenMs })
      options.say(`${hit}: the other one led after ${leadMs} ms and had written after ${writtenMs} ms`)
      // One that was only stopped finds that it does not lead any more, and waits.
      if (hit === 'SIGSTOP') await leader.send('SIGCONT')
      else run.startIndexer()
    }
    await run.waitForMore()
    return { takeovers, ...(await run.finish()) }
  } finally {
    await run.close()
  }
}
