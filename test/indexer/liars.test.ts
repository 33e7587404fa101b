import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { BlockSource } from '../../src/chain/ports.ts'
import type { IndexedChain } from '../../src/cli/index/openChain.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import type { BlockSetSource } from '../../src/indexer/ports.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { type Finding, verifyRange } from '../../src/indexer/verify/verifyRange.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { readRanges } from '../../src/store/writer/indexState.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { indexChain } from '../support/indexing.ts'
import { copyLocalnetPackages, localnetPackages, openPackages } from '../support/localnetSources.ts'
import { LyingSource } from '../support/lyingSource.ts'
import { assertSameIndex } from '../support/sampleIndex/assertSameIndex.ts'
import { dumpIndex, type IndexDump } from '../support/sampleIndex/dumpIndex.ts'
import { isLong } from '../support/testLength.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { waitUntil } from '../support/waitUntil.ts'

after(closeSharedMachine)

const LAST = 240
const PATIENCE_MS = 200

const chainOf = (source: BlockSource, timeoutMs = PATIENCE_MS): IndexedChain => ({
  blockSets: createBlockSetSource(source, { timeoutMs }),
  states: undefined,
  zeroState: new Uint8Array(32).fill(7),
  order: 'newestFirst',
})

let honestly: Promise<IndexDump> | undefined

/** What an honest source leads to. It is indexed once for all tests. */
const indexHonestly = (t: TestContext): Promise<IndexDump> => {
  const index = async (): Promise<IndexDump> => {
    const database = await openFreshDatabase(t)
    const { logged } = await indexChain(t, chainOf(openPackages(), 30_000), database, { to: LAST })
    assert.deepEqual(logged, [])
    return dumpIndex(database)
  }
  honestly ??= index()
  return honestly
}

/** Heads that come one after another, as of a chain that goes on. */
const growing = (source: BlockSource): BlockSource => ({
  getHead: (signal) => source.getHead(signal),
  getMasterchainBlockId: (seqno, signal) => source.getMasterchainBlockId(seqno, signal),
  getRawBlock: (id, signal) => source.getRawBlock(id, signal),
  async *watchHeads(signal) {
    for (let seqno = LAST / 2; seqno <= LAST; seqno += 3) {
      yield await source.getMasterchainBlockId(seqno, signal)
      await delay(60, undefined, { signal })
    }
    yield* source.watchHeads(signal)
  },
})

/** Looks again and again whether all that counts as covered is what an honest source has, until it is told to stop. */
const keepVerifying = (database: Database, honest: BlockSetSource) => {
  const ending = new AbortController()
  const { signal } = ending
  const findings: Finding[] = []
  let rounds = 0
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await verifyRange(database, {
        firstSeqno: 1,
        lastSeqno: LAST,
        fetchBlockSet: async (seqno, fetching) => decodeBlockSet(await honest.fetchBlockSet(seqno, fetching)),
        signal,
        onFinding: (finding) => findings.push(finding),
      }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      rounds++
      await delay(100)
    }
  }
  const running = run()
  return async (): Promise<number> => {
    ending.abort()
    await running
    assert.deepEqual(findings, [])
    return rounds
  }
}

const messagesOf = (logged: readonly string[]): string[] =>
  logged.map((line) => {
    const { message, error } = JSON.parse(line) as { message: string; error?: { message?: string } }
    return `${message}: ${error?.message ?? ''}`
  })

for (const seed of isLong ? [1, 2, 3, 4] : [1]) {
  test(`a source that lies and falls silent leads to the same rows as an honest one (seed ${seed})`, {
    timeout: 280_000,
  }, async (t) => {
    if (!haveDatabase(t)) return
    const folder = localnetPackages()
    const honest = openPackages(folder)
    const expected = await indexHonestly(t)
    const liar = new LyingSource(growing(openPackages(folder)), { seed, oneIn: 20, lies: 120 })
    const database = await openFreshDatabase(t)
    const stop = keepVerifying(database, createBlockSetSource(honest))
    const { logged } = await indexChain(t, chainOf(liar), database, { to: LAST })
    const rounds = await stop()
    assertSameIndex(await dumpIndex(database), expected)
    const told = Object.fromEntries(liar.told)
    t.diagnostic(`${JSON.stringify(told)}; looked ${rounds} times; ${logged.length} warnings`)
    assert.ok(Object.values(told).reduce((sum, count) => sum + count, 0) >= 40, JSON.stringify(told))
    const ofHeads = [...liar.told].filter(([lie]) => lie.includes('head'))
    assert.ok(ofHeads.reduce((sum, [, count]) => sum + count, 0) >= 3, JSON.stringify(told))
    const messages = messagesOf(logged).join('\n')
    assert.match(messages, /do not match its file hash\./)
    assert.match(messages, /timed out after 200 ms\./)
    assert.match(messages, /is not available yet\./)
  })
}

test('a package that is cut short is indexed as far as it goes, and the rest when it is whole', {
  timeout: 280_000,
}, async (t) => {
  if (!haveDatabase(t)) return
  const folder = copyLocalnetPackages(t)
  const expected = await indexHonestly(t)
  const [name] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('archive.00203.0_8000000000000000.pack'),
  )
  assert.ok(name !== undefined, readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n'))
  const path = join(folder, name)
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, Math.floor(whole.length / 6)))
  const database = await openFreshDatabase(t)
  const metrics = new Metrics()
  const ascending: IndexedChain = { ...chainOf(openPackages(folder), 30_000), order: 'ascending' }
  const running = indexChain(t, ascending, database, { to: LAST, metrics })
  const top = (): Promise<number> =>
    database.transaction(async (client) => (await readRanges(client)).at(-1)?.lastSeqno ?? 0)
  const countFailures = (): number =>
    Number(/stage_failures_total\{stage="fetch"\} (\d+)/.exec(metrics.format())?.[1] ?? 0)
  await waitUntil(
    () => `${countFailures()} failures`,
    async () => countFailures() >= 5 && (await top()) >= 200,
    { pollMs: 50 },
  )
  const reached = await top()
  assert.ok(reached < LAST, `${reached}`)
  writeFileSync(path, whole)
  const { logged } = await running
  assert.match(messagesOf(logged).join('\n'), /block fetch failed, retrying: Block .* is not available yet\./)
  assertSameIndex(await dumpIndex(database), expected)
})

test('where nothing gets done the alarm is raised, and ends when it goes on', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const source = openPackages()
  let isSilent = true
  const stalling: BlockSource = {
    getHead: (signal) => source.getHead(signal),
    getMasterchainBlockId: (seqno, signal) => source.getMasterchainBlockId(seqno, signal),
    watchHeads: (signal) => source.watchHeads(signal),
    getRawBlock: (id, signal) => (isSilent ? new Promise(() => undefined) : source.getRawBlock(id, signal)),
  }
  const database = await openFreshDatabase(t)
  const metrics = new Metrics()
  const running = indexChain(t, chainOf(stalling), database, { to: 60, metrics, stalledMs: 1500 })
  const isStalled = (): boolean => /^chaincenter_indexer_stalled 1$/m.test(metrics.format())
  assert.equal(isStalled(), false)
  // On a busy machine the alarm may come before the first request has timed out.
  const isLate = (): boolean => /stage_failures_total\{stage="fetch"\} [1-9]/.test(metrics.format())
  await waitUntil('the alarm', () => isStalled() && isLate())
  isSilent = false
  await waitUntil('the end of the alarm', () => !isStalled())
  const { logged, progress } = await running
  assert.deepEqual(progress.ranges, [{ first: 1, last: 60 }])
  const alarm = logged.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ level }) => level === 'error')
  assert.equal(alarm?.['message'], 'indexing stalled')
  assert.match(logged.join('\n'), /timed out after 200 ms/)
})
