import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type RunningNetwork, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { ApiError, createClient } from '../../src/client/createClient.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { silentLogger } from './databaseServer.ts'
import { type Replication, startReplication, type TestServer } from './standby.ts'
import type { Cleanup } from './tempFolder.ts'
import { untilIndexed } from './untilIndexed.ts'
import { serveV3 } from './v3Service.ts'

/** What happens to a replica or to an answering process. */
export type ReplicaFault = 'pause' | 'resume' | 'kill' | 'start' | 'restart'

export type ReplicaCampaign = {
  readonly durationMs: number
  /** Processes that answer, each over one of the replicas, and the primary. */
  readonly answerers: number
  readonly replicas: number
  /** Clients that poll in turn over all answerers. As many again do not say what they have seen. */
  readonly clients: number
  readonly intervalMs: number
  /** In this order, spread over the time; replicas and answerers in turn. */
  readonly faults: readonly ReplicaFault[]
  readonly onProgress?: (line: string) => void
}

export type ReplicaReport = {
  readonly blocks: number
  readonly requests: number
  readonly answers: number
  /** Answers 503 because no server had the block. */
  readonly behind: number
  /** Requests that found their answering process closed. */
  readonly broken: number
  /** Answers that were older than one before. */
  readonly wentBack: number
  /** The same of the clients that do not say what they have seen. */
  readonly unstickyWentBack: number
  readonly unstickyAnswers: number
  /** Where requests went whose block the first server did not have. */
  readonly seenReads: Readonly<Record<string, number>>
  readonly faults: Readonly<Record<ReplicaFault, number>>
  readonly failures: readonly string[]
}

const { signal } = new AbortController()

/** The account that gets coins all the time. */
const ACCOUNT = `0:${'5E'.repeat(32)}`
const LAG_MS = 4000

/**
 * Polls an index through processes over replicas that stop replaying, are killed and come back. No client that says what it has seen may
 * get an older state.
 */
export const runReplicaCampaign = async (
  cleanup: Cleanup,
  campaign: ReplicaCampaign,
  given?: {
    readonly replication: Replication
    readonly standbys: readonly TestServer[]
    readonly network: RunningNetwork
  },
): Promise<ReplicaReport> => {
  const { durationMs, onProgress = () => {} } = campaign
  const { network, standbys, replication } = given ?? (await startStage(cleanup, campaign))
  const answerers = await Promise.all(
    Array.from({ length: campaign.answerers }, (_, k) =>
      startAnswerer(cleanup, replication.primary.url, standbys[k % standbys.length]!.url),
    ),
  )
  const ending = new AbortController()
  const load = payUntil(network, campaign.intervalMs, ending.signal)
  const urls = (): readonly string[] => answerers.map(({ url }) => url)
  const polls = [true, false].map((isSticky) =>
    Array.from({ length: campaign.clients }, (_, k) => pollUntil(urls, isSticky, k, ending.signal)),
  )
  const counts = { pause: 0, resume: 0, kill: 0, start: 0, restart: 0 }
  for (const fault of campaign.faults) {
    await delay(durationMs / (campaign.faults.length + 1))
    const at = counts[fault]++
    if (fault === 'restart') await answerers[at % answerers.length]!.restart()
    else await strike(standbys[at % standbys.length]!, fault)
    onProgress(`${fault}: ${JSON.stringify(answerers.map((each) => each.heads()))}`)
  }
  await delay(durationMs / (campaign.faults.length + 1))
  ending.abort()
  await load
  const [sticky, unsticky] = (await Promise.all(polls.map((each) => Promise.all(each)))).map(sumCounts)
  const seenReads = sumCounts(answerers.map((each) => each.seenReads()))
  for (const answerer of answerers) await answerer.close()
  const { seqno: blocks } = network.controls.getStatus().head
  return {
    blocks,
    requests: sticky!.requests,
    answers: sticky!.answers,
    behind: sticky!.behind,
    broken: sticky!.broken,
    wentBack: sticky!.wentBack,
    unstickyWentBack: unsticky!.wentBack,
    unstickyAnswers: unsticky!.answers,
    seenReads,
    faults: counts,
    failures: sticky!.failures,
  }
}

const startStage = async (cleanup: Cleanup, { replicas, intervalMs }: ReplicaCampaign) => {
  const replication = await startReplication(cleanup)
  const mining = { mode: 'interval', intervalMs, emptyBlocks: true } as const
  const network = await startNetwork({
    mining,
    http: {},
    index: { databaseUrl: replication.primary.url },
    keepStates: 0,
  })
  cleanup.after(() => network.close())
  await network.indexed
  await untilIndexed(`${network.url!}/api/v3`, 1)
  const standbys = await Promise.all(Array.from({ length: replicas }, () => replication.addStandby()))
  return { replication, network, standbys }
}

/** A process that answers, as far as the database can tell: connections and heads of its own. */
const startAnswerer = async (cleanup: Cleanup, primaryUrl: string, replicaUrl: string) => {
  const endings: (() => unknown)[] = []
  const done = { known: 0, waited: 0, writer: 0, refused: 0 }
  const open = async () => {
    const database = await connectDatabase({
      url: primaryUrl,
      readerUrls: [replicaUrl],
      readerLagMs: LAG_MS,
      logger: silentLogger,
      signal,
      listConnections: 2,
      writeConnections: 1,
    })
    endings.push(() => database.close())
    const { url } = await serveV3({ after: (ending) => endings.push(ending) }, database)
    return { database, url }
  }
  const close = async (): Promise<void> => {
    for (const ending of endings.splice(0).reverse()) await ending()
  }
  cleanup.after(close)
  let current = await open()
  const readSeen = () => current.database.stats().seenReads
  return {
    get url() {
      return current.url
    },
    heads: () => current.database.stats().servers.map(({ head }) => head?.seqno),
    seenReads: () => sumCounts([done, readSeen()]),
    restart: async () => {
      Object.assign(done, sumCounts([done, readSeen()]))
      await close()
      current = await open()
    },
    close,
  }
}

const strike = async (standby: TestServer, fault: Exclude<ReplicaFault, 'restart'>): Promise<void> => {
  if (fault === 'kill') return standby.kill()
  if (fault === 'start') return standby.start()
  const client = new pg.Client({ connectionString: standby.url.replace('?ssl=0', '') })
  await client.connect()
  try {
    await client.query(`SELECT pg_wal_replay_${fault}()`)
  } finally {
    await client.end()
  }
}

/** Pays the account about once in every block. */
const payUntil = async (network: RunningNetwork, intervalMs: number, ended: AbortSignal): Promise<void> => {
  const account = parseAddress(ACCOUNT)
  while (!ended.aborted) {
    await network.controls.faucet(account, 1_000_000_000n)
    await delay(intervalMs)
  }
}

type Counts = {
  readonly requests: number
  readonly answers: number
  readonly behind: number
  readonly broken: number
  readonly wentBack: number
  readonly failures: readonly string[]
}

/** Asks the answerers in turn, and compares every answer with the one before. */
const pollUntil = async (
  urls: () => readonly string[],
  isSticky: boolean,
  first: number,
  ended: AbortSignal,
): Promise<Counts> => {
  const counts = { requests: 0, answers: 0, behind: 0, broken: 0, wentBack: 0 }
  const failures: string[] = []
  let turn = first
  const choose = (url: string, init: RequestInit = {}): Promise<Response> => {
    const all = urls()
    const { 'x-seen-seqno': _, ...others } = init.headers as Record<string, string>
    const headers = isSticky ? init.headers! : others
    return fetch(url.replace('http://answerer', all[turn++ % all.length]!), { ...init, headers })
  }
  const client = createClient({ url: 'http://answerer', fetch: choose as typeof fetch })
  let seqno = 0
  let lt = 0n
  while (!ended.aborted) {
    counts.requests += 3
    try {
      // The head, the state of an account, and its list: rows of different tables.
      const { last } = await client.v3.masterchainInfo()
      const { accounts } = await client.v3.accountStates({ address: [ACCOUNT], include_boc: false })
      const { transactions } = await client.v3.transactions({ account: [ACCOUNT], limit: 1, sort: 'desc' })
      const state = BigInt(accounts[0]?.last_transaction_lt ?? 0)
      const newest = BigInt(transactions[0]?.lt ?? 0)
      if (last.seqno < seqno || state < lt || newest < state) {
        counts.wentBack++
        if (isSticky) failures.push(`block ${last.seqno} after ${seqno}, lt ${state} and ${newest} after ${lt}`)
      }
      seqno = last.seqno
      lt = newest
      counts.answers += 3
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 503) counts.behind++
      else if (error.status === 0) counts.broken++
      else failures.push(`${error.status}: ${error.message}`)
      await delay(20)
    }
  }
  return { ...counts, failures }
}

/** Adds numbers by name, and joins lists. */
const sumCounts = <T extends object>(all: readonly T[]): T =>
  Object.fromEntries(
    Object.keys(all[0]!).map((name) => {
      const values = all.map((each) => (each as Record<string, unknown>)[name])
      return [
        name,
        Array.isArray(values[0]) ? values.flat() : values.reduce((sum: number, each) => sum + Number(each), 0),
      ]
    }),
  ) as T
