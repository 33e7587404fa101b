import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { IndexedChain } from '../../../src/cli/index/openChain.ts'
import { createBlockSetReader, type Finding, verifyRange } from '../../../src/indexer/verify/verifyRange.ts'
import { connectDatabase } from '../../../src/store/connect/connectDatabase.ts'
import type { Database } from '../../../src/store/connect/Database.ts'
import {
  addWorker,
  type ClusterNode,
  countShards,
  freshCitusDatabase,
  freshServerDatabase,
  rebalance,
} from '../citus.ts'
import { silentLogger as logger } from '../databaseServer.ts'
import { indexChain } from '../indexing.ts'
import { assertSameIndex } from '../sampleIndex/assertSameIndex.ts'
import { dumpIndex } from '../sampleIndex/dumpIndex.ts'
import { compareAnswers } from '../v3Load/compareAnswers.ts'
import { listRequests } from '../v3Load/listRequests.ts'
import { sampleIndex } from '../v3Load/sampleIndex.ts'
import { serveV3 } from '../v3Service.ts'
import { type Asked, askAlways } from './askAlways.ts'
import { openPacedChain } from './pacedChain.ts'

export type ClusterCampaignOptions = {
  /** Shell commands that kill and start a server, whose number is their first argument: 0 is the coordinator. */
  readonly kill: string
  readonly start: string
  readonly workers: number
  /** A server that becomes a worker under load. Its number is the one after the last worker's. */
  readonly added: ClusterNode | undefined
  readonly rounds: number
  readonly blockMs: number
  readonly awayMs: number
  /** Every so many of the requests are compared in the end. */
  readonly step: number
  readonly say: (line: string) => void
}

const { signal } = new AbortController()
const FIRST = 1
const LAST = 400
const PROGRESS_MS = 180_000
/** Moves that are interrupted are begun again. */
const MOVES = 5
/** A busy machine takes its time. */
const SLOW = { pointTimeoutMs: 30_000, listTimeoutMs: 30_000 }
const run = promisify(execFile)

/** Kills servers of a cluster, adds one and moves shards, while it is indexed and asked. Throws where a row is lost, doubled or wrong. */
export const runClusterCampaign = async (
  t: TestContext,
  options: ClusterCampaignOptions,
): Promise<Record<string, unknown>> => {
  const { say } = options
  const open = async (url: string): Promise<Database> => {
    const database = await connectDatabase({ url, logger, signal, ...SLOW })
    t.after(() => database.close())
    return database
  }
  const plain = await open(await freshServerDatabase(t))
  const cluster = await open(await freshCitusDatabase(t))
  const chain = await openPacedChain(t, 0)
  await indexChain(t, chain, plain, { to: LAST, partitionWidth: 128 })
  const campaign = new Campaign(t, options, cluster)
  const services = { expected: (await serveV3(t, plain)).url, tried: (await serveV3(t, cluster)).url }
  const done = new AbortController()
  const reading = askAlways(services, campaign.pickBlock, done.signal)
  const indexing = indexChain(t, await openPacedChain(t, options.blockMs), cluster, {
    to: LAST,
    partitionWidth: 128,
  })
  indexing.catch(() => undefined)
  let asked: Asked
  try {
    await Promise.race([campaign.disturb(), indexing.then(() => new Promise<never>(() => {}))])
    say('the servers are left alone; the rest is indexed')
    await indexing
  } finally {
    done.abort()
    asked = await reading
  }
  assert.deepEqual(asked.wrong, [])
  const dump = await dumpIndex(cluster)
  assertSameIndex(dump, await dumpIndex(plain))
  const findings = await listFindings(cluster, chain)
  assert.deepEqual(findings, [])
  return {
    ...campaign.counts,
    reads: asked.answers,
    refused: asked.refused,
    wrong: asked.wrong.length,
    rows: Object.values(dump).reduce((sum, rows) => sum + rows.length, 0),
    findings: findings.length,
    shards: await countShards(cluster.source.url),
    ...(await compareRequests(services, plain, options.step)),
  }
}

class Campaign {
  readonly counts = { kills: 0, coordinatorKills: 0, moves: 0, interruptedMoves: 0, blocksWhileMoving: 0 }
  readonly #t: TestContext
  readonly #options: ClusterCampaignOptions
  readonly #database: Database
  #turn = 0
  #indexed = 0

  constructor(t: TestContext, options: ClusterCampaignOptions, database: Database) {
    this.#t = t
    this.#options = options
    this.#database = database
  }

  /** One of the blocks that are indexed. */
  readonly pickBlock = (): number | undefined => {
    const head = this.#database.reader().findHead()?.seqno
    return head === undefined ? undefined : FIRST + ((this.#turn++ * 7919) % head)
  }

  async disturb(): Promise<void> {
    const { workers, rounds, added } = this.#options
    await this.#more(10)
    for (let round = 0; round < rounds; round++) {
      for (const node of [...Array.from({ length: workers }, (_, k) => k + 1), 0]) await this.#killAndStart(node)
    }
    if (added === undefined) return
    await addWorker(this.#t, this.#database.source.url, added)
    this.#options.say(`added ${added.host}:${added.port}: ${JSON.stringify(await this.#shards())}`)
    await this.#move()
    await this.#killAndStart(workers + 1)
  }

  #shards(): Promise<Record<string, number>> {
    return countShards(this.#database.source.url)
  }

  /** The first move is interrupted: a worker that gives rows away is killed. */
  async #move(): Promise<void> {
    const { say } = this.#options
    const before = await this.#countBlocks()
    for (let tries = 0; ; tries++) {
      const moving = rebalance(this.#database.source.url).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (tries === 0) {
        await delay(1000)
        await this.#killAndStart(1)
      }
      const failure = await moving
      if (failure === undefined) break
      say(`the move was interrupted: ${failure instanceof Error ? failure.message : String(failure)}`)
      this.counts.interruptedMoves++
      if (tries >= MOVES) throw failure
      await delay(2000)
    }
    this.counts.moves++
    this.counts.blocksWhileMoving = (await this.#countBlocks()) - before
    say(`moved: ${JSON.stringify(await this.#shards())}; ${this.counts.blocksWhileMoving} blocks meanwhile`)
  }

  async #killAndStart(node: number): Promise<void> {
    const { kill, start, awayMs, say } = this.#options
    const before = await this.#countBlocks()
    await run('sh', ['-c', kill, 'sh', String(node)])
    this.counts.kills++
    if (node === 0) this.counts.coordinatorKills++
    await delay(awayMs)
    await run('sh', ['-c', start, 'sh', String(node)])
    const ms = await this.#more(5)
    say(`server ${node} killed at ${before} blocks; it went on ${Math.round(ms)} ms after the start`)
  }

  /** Waits until more blocks are indexed, and returns how long it took. */
  async #more(blocks: number): Promise<number> {
    const start = performance.now()
    const before = await this.#countBlocks()
    while ((await this.#countBlocks()) < Math.min(LAST, before + blocks)) {
      if (performance.now() - start > PROGRESS_MS) throw new Error(`Nothing was indexed for ${PROGRESS_MS} ms.`)
      await delay(100)
    }
    return performance.now() - start
  }

  /** Indexed blocks; as many as before while the database is away. */
  async #countBlocks(): Promise<number> {
    try {
      this.#indexed = await this.#database.transaction(async (client) => {
        const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM indexed_blocks')
        return rows[0]!.count
      })
    } catch {
      // It is away.
    }
    return this.#indexed
  }
}

/** What `db verify` finds. */
const listFindings = async (database: Database, { blockSets }: IndexedChain): Promise<string[]> => {
  const fetchBlockSet = await createBlockSetReader(database, blockSets)
  const findings: string[] = []
  const onFinding = ({ seqno, fault }: Finding) => void findings.push(`${seqno} ${fault}`)
  await verifyRange(database, { firstSeqno: FIRST, lastSeqno: LAST, fetchBlockSet, signal, onFinding })
  return findings
}

const compareRequests = async (
  services: { readonly tried: string; readonly expected: string },
  plain: Database,
  step: number,
): Promise<Record<string, number>> => {
  const requests = listRequests(await sampleIndex(plain.source.url)).filter((_, k) => k % step === 0)
  const different = await compareAnswers(services, requests)
  assert.deepEqual(different, [])
  return { requests: requests.length, equal: requests.length - different.length }
}
