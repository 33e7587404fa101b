import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type LoadResult, offerLoad, type RawRequest, rawGet, rawPost, runLoad } from './httpLoad.ts'
import { ServeProcess } from './serveProcess.ts'
import { untilIndexed } from './untilIndexed.ts'

export type OverloadOptions = {
  /** How long the peak is measured, and how long twice that is offered. */
  readonly peakMs: number
  readonly overloadMs: number
  readonly work: OverloadWork
  /** Times the peak. */
  readonly factor: number
}

export type OverloadReport = {
  readonly work: OverloadWork
  readonly peakPerSecond: number
  readonly usualP99Ms: number
  readonly offeredPerSecond: number
  readonly goodputPerSecond: number
  /** Of the peak. */
  readonly goodput: number
  readonly acceptedP99Ms: number
  readonly p99Ratio: number
  /** Part of it: how late this process sent requests. */
  readonly clientLateP99Ms: number
  readonly refused503: number
  readonly late504: number
  /** Everything but 200, 503 and 504, and connections that failed. */
  readonly other: number
  readonly unsent: number
  readonly unadvised: number
}

export const overloadWorks = ['index', 'live', 'methods', 'slow'] as const
export type OverloadWork = (typeof overloadWorks)[number]

const CONNECTIONS = 32
const MAX_CONNECTIONS = 2000
/** Compiled code is several times faster than new code: a peak that was measured too early would not be the capacity. */
const WARM_MS = 2000
const WARM_PARTS = { least: 4, most: 15 } as const
const STEADY = 1.05

/** `busy` has transactions, `account` is a wallet that nobody uses. */
type Service = { readonly url: string; readonly account: string; readonly busy: string }

/** Requests that no cache answers: each differs from those before. */
const requestsOf = (work: OverloadWork, { url, account, busy }: Service): (() => RawRequest) => {
  let last = 0
  const next = (): number => ++last
  switch (work) {
    case 'index':
      return () => rawGet(url, `/api/v3/transactions?account=${busy}&limit=20&end_utime=${2_000_000_000 + next()}`)
    case 'slow':
      return () => rawGet(url, `/api/v3/transactions?limit=500&end_utime=${2_000_000_000 + next()}`)
    case 'live':
      return () => rawGet(url, `/api/v2/getTransactions?address=${busy}&limit=10&to_lt=${next()}`)
    case 'methods':
      return () =>
        rawPost(url, '/api/v2/runGetMethod', {
          address: account,
          method: 'seqno',
          stack: [['num', String(next())]],
        })
  }
}

/** Starts a service, measures what it can do, and offers more for a while. */
export const runOverload = async (options: OverloadOptions): Promise<OverloadReport> => {
  const folder = mkdtempSync(join(tmpdir(), 'chaincenter-overload-'))
  const args = [
    'start',
    '--workers',
    '1',
    '--demo',
    '--port',
    '0',
    '--data-dir',
    folder,
    '--no-limits',
    '--log-level',
    'warn',
  ]
  const service = new ServeProcess(args, folder)
  try {
    const ready = (await service.ready) as { url: string; accounts?: readonly { address: string }[] }
    await untilIndexed(`${ready.url}/api/v3`, 10)
    const account = encodeURIComponent(ready.accounts![0]!.address)
    return await measure({ url: ready.url, account, busy: await findBusy(ready.url) }, options)
  } finally {
    service.send('SIGTERM')
    await Promise.race([service.exited, delay(20_000)])
    await service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The account with the most of the newest transactions, system contracts aside. */
const findBusy = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/api/v3/transactions?workchain=0&limit=100`)
  const { transactions } = (await answer.json()) as { readonly transactions: readonly { readonly account: string }[] }
  const counts = new Map<string, number>()
  for (const { account } of transactions) counts.set(account, (counts.get(account) ?? 0) + 1)
  const [[busy]] = [...counts].sort(([, a], [, b]) => b - a) as [[string, number]]
  return busy
}

/** Until it does not become faster any more. */
const warmUp = async (load: () => Promise<LoadResult>): Promise<void> => {
  for (let [parts, best, isSteady] = [0, 0, false]; parts < WARM_PARTS.most && !isSteady; parts++) {
    const { requests, seconds } = await load()
    isSteady = parts + 1 >= WARM_PARTS.least && requests / seconds < STEADY * best
    best = Math.max(best, requests / seconds)
  }
}

const measure = async (
  service: Service,
  { peakMs, overloadMs, work, factor }: OverloadOptions,
): Promise<OverloadReport> => {
  const next = requestsOf(work, service)
  const connections = work === 'slow' ? 4 : CONNECTIONS
  await warmUp(() => runLoad(service.url, next, { connections, durationMs: Math.min(WARM_MS, peakMs) }))
  const peak = await runLoad(service.url, next, { connections, durationMs: peakMs })
  const peakPerSecond = peak.requests / peak.seconds
  const offered = { perSecond: factor * peakPerSecond, durationMs: overloadMs, maxConnections: MAX_CONNECTIONS }
  const { statuses, seconds, p99Ms, lateP99Ms, unsent, unadvised } = await offerLoad(service.url, next, offered)
  const count = (status: number): number => statuses.get(status) ?? 0
  const all = [...statuses.values()].reduce((sum, times) => sum + times, 0)
  const goodputPerSecond = count(200) / seconds
  return {
    work,
    peakPerSecond,
    usualP99Ms: peak.p99Ms,
    offeredPerSecond: offered.perSecond,
    goodputPerSecond,
    goodput: goodputPerSecond / peakPerSecond,
    acceptedP99Ms: p99Ms,
    p99Ratio: p99Ms / peak.p99Ms,
    clientLateP99Ms: lateP99Ms,
    refused503: count(503),
    late504: count(504),
    other: all - count(200) - count(503) - count(504),
    unsent,
    unadvised,
  }
}
