import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { CampaignPlan, ClientPlan, ClientsReport, ReplayReport, ReplayRequest, VerifyRequest } from './campaign.ts'

// A process with many clients of a streaming service. Each keeps the ids of its events, in order, and resumes when its connection ends.

/** Ids as numbers: many clients get the same event. */
const numbers = new Map<string, number>()
const ids: string[] = []

const numberOf = (id: string): number => {
  let number = numbers.get(id)
  if (number === undefined) {
    number = ids.push(id) - 1
    numbers.set(id, number)
  }
  return number
}

/** Received events: block, and time since the block can have been committed for this connection. */
const samples: { readonly mcSeqno: number; readonly at: number; readonly connectedAt: number }[] = []

let isEnding = false

abstract class CampaignClient {
  readonly plan: ClientPlan
  readonly received: number[] = []
  protected readonly base: CampaignPlan
  protected connectedAt = 0
  protected lastId: string | undefined
  pausedUntil = 0
  connects = 0
  stops = 0
  failures = 0

  constructor(plan: ClientPlan, base: CampaignPlan) {
    this.plan = plan
    this.base = base
  }

  abstract open(): void
  abstract cut(): void
  abstract pause(isPaused: boolean): void

  protected get subscription(): object {
    const { types, addresses, extended } = this.plan
    const since = this.lastId ?? { mc_seqno: this.base.since }
    return { types, addresses, ...(extended ? { extended: true } : {}), since }
  }

  protected take(id: string): void {
    this.lastId = id
    this.received.push(numberOf(id))
    const now = Date.now()
    if (now < this.pausedUntil) return
    samples.push({ mcSeqno: Number(id.split('-')[1]), at: now, connectedAt: this.connectedAt })
  }

  protected async reopen(): Promise<void> {
    if (isEnding) return
    await delay(100 + Math.random() * 400)
    if (!isEnding) this.open()
  }

  /** Does not read for a while. */
  async stop(ms: number): Promise<void> {
    this.stops++
    this.pausedUntil = Number.POSITIVE_INFINITY
    this.pause(true)
    await delay(ms)
    this.pause(false)
    // What it gets now is late by its own doing.
    this.pausedUntil = Date.now() + 10_000
  }
}

class SseCampaignClient extends CampaignClient {
  #socket: Socket | undefined
  #rest = ''
  #id: string | undefined
  #event = ''
  #isRefused = false

  open(): void {
    this.connects++
    const { port } = this.base
    const socket = connect(port, '127.0.0.1')
    this.#socket = socket
    this.#rest = ''
    this.#id = undefined
    this.#event = ''
    this.#isRefused = false
    socket.setEncoding('utf8')
    socket.on('connect', () => {
      this.connectedAt = Date.now()
      const body = JSON.stringify(this.subscription)
      socket.write(
        `POST /api/streaming/v2/sse HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
    socket.on('data', (text: string) => this.#read(text))
    socket.on('error', () => undefined)
    socket.on('close', () => void this.reopen())
  }

  cut(): void {
    this.#socket?.destroy()
  }

  pause(isPaused: boolean): void {
    if (isPaused) this.#socket?.pause()
    else this.#socket?.resume()
  }

  // Each frame is one chunk of the response, so lines between chunks are the sizes of chunks.
  #read(text: string): void {
    const all = this.#rest + text
    const end = all.lastIndexOf('\n')
    this.#rest = all.slice(end + 1)
    if (end < 0) return
    for (const line of all.slice(0, end).split('\n')) {
      if (line.startsWith('id: ')) this.#id = line.slice(4)
      else if (line.startsWith('event: ')) this.#event = line.slice(7)
      else if (line === '') {
        // An id without an event tells where to go on.
        if (this.#id !== undefined && this.#event === 'event') this.take(this.#id)
        else if (this.#id !== undefined) this.lastId = this.#id
        this.#id = undefined
        this.#event = ''
      } else if (line.startsWith('HTTP/1.1 ') && !line.startsWith('HTTP/1.1 200')) {
        this.failures++
        this.#isRefused = true
      }
    }
    if (this.#isRefused) this.#socket?.destroy()
  }
}

class WsCampaignClient extends CampaignClient {
  #socket: WebSocket | undefined

  open(): void {
    this.connects++
    const socket = new WebSocket(`ws://127.0.0.1:${this.base.port}/api/streaming/v2/ws`, { perMessageDeflate: false })
    this.#socket = socket
    socket.on('open', () => {
      this.connectedAt = Date.now()
      socket.send(JSON.stringify({ operation: 'subscribe', ...this.subscription }))
    })
    socket.on('message', (data) => {
      const text = data.toString()
      const id = /"event_id":"([^"]+)"/.exec(text)?.[1]
      if (id !== undefined) this.take(id)
      else if (text.startsWith('{"error"')) {
        this.failures++
        socket.terminate()
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => void this.reopen())
  }

  cut(): void {
    this.#socket?.terminate()
  }

  pause(isPaused: boolean): void {
    if (isPaused) this.#socket?.pause()
    else if (this.#socket?.readyState === WebSocket.OPEN || this.#socket?.isPaused) this.#socket.resume()
  }
}

let clients: CampaignClient[] = []

const openAll = async (plan: CampaignPlan): Promise<void> => {
  clients = plan.clients.map((each) =>
    each.transport === 'sse' ? new SseCampaignClient(each, plan) : new WsCampaignClient(each, plan),
  )
  for (const [k, client] of clients.entries()) {
    client.open()
    if (k % 50 === 49) await delay(50)
  }
  void disturb(plan)
}

const pick = (): CampaignClient => clients[Math.floor(Math.random() * clients.length)]!

/** Cuts connections at random, and lets some stop reading for a while. */
const disturb = async ({ cutsPerSecond, stopShare, stopMs }: CampaignPlan): Promise<void> => {
  const stoppers = Math.max(1, Math.round(clients.length * stopShare))
  let stopped = 0
  while (!isEnding) {
    for (let k = 0; k < cutsPerSecond; k++) pick().cut()
    if (stopShare > 0 && stopped < stoppers) {
      stopped++
      void pick()
        .stop(stopMs)
        .finally(() => stopped--)
    }
    await delay(1000)
  }
}

/** The whole log, by its ids, with the accounts of each event; `undefined` for heads. */
const readLog = async ({
  port,
  since,
  until,
}: VerifyRequest): Promise<[id: string, accounts: string[] | undefined][]> => {
  const types = ['transactions', 'account_state_change']
  const body = JSON.stringify({
    types,
    addresses: ['*'],
    extended: true,
    since: { mc_seqno: since },
    until: { mc_seqno: until },
  })
  const response = await fetch(`http://127.0.0.1:${port}/api/streaming/v2/sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (response.status !== 200) throw new Error(await response.text())
  const log: [string, string[] | undefined][] = []
  for (const line of (await response.text()).split('\n')) {
    if (!line.startsWith('data: ')) continue
    const event = JSON.parse(line.slice(6))
    if (event.event_id === undefined) continue
    const isHead = event.type === 'masterchain_head'
    const accounts = isHead
      ? undefined
      : (event.transactions?.map(({ account }: { account: string }) => account) ?? [event.account])
    log.push([event.event_id, accounts])
  }
  return log
}

const verify = async (request: VerifyRequest): Promise<ClientsReport> => {
  const log = await readLog(request)
  const expectedOf = ({ types, addresses, extended }: ClientPlan): number[] => {
    const own = new Set(addresses)
    const hasStates = types.includes('account_state_change')
    return log
      .filter(([id, accounts]) =>
        accounts === undefined
          ? extended
          : (hasStates || !id.includes('-st-')) && accounts.some((account) => own.has(account)),
      )
      .map(([id]) => numberOf(id))
  }
  const last = request.until
  const upTo = (received: readonly number[]): number[] =>
    received.filter((number) => Number(ids[number]!.split('-')[1]) <= last)
  const expected = clients.map(({ plan }) => expectedOf(plan))
  const end = performance.now() + request.patienceMs
  const isWhole = (): boolean => clients.every(({ received }, k) => upTo(received).length >= expected[k]!.length)
  while (!isWhole() && performance.now() < end) await delay(500)
  isEnding = true
  const faults: string[] = []
  for (const [k, { received, plan, connects }] of clients.entries()) {
    const own = upTo(received)
    if (own.join() === expected[k]!.join()) continue
    const at = own.findIndex((number, n) => number !== expected[k]![n])
    const [got, wanted] = [ids[own[at] ?? -1], ids[expected[k]![at < 0 ? own.length : at] ?? -1]]
    faults.push(
      `client ${k} (${plan.transport}, ${connects} connections): ${own.length} of ${expected[k]!.length} events; at ${at} got ${got}, expected ${wanted}`,
    )
  }
  return {
    faults,
    events: expected.reduce((sum, { length }) => sum + length, 0),
    logged: log.length,
    reconnects: clients.reduce((sum, { connects }) => sum + connects - 1, 0),
    stops: clients.reduce((sum, { stops }) => sum + stops, 0),
    refusals: clients.reduce((sum, { failures }) => sum + failures, 0),
    lags: measureLags(request),
  }
}

const SLOWEST = 12

/** Milliseconds from commit to client, of events that were committed while the client was connected and nothing else was amiss. */
const measureLags = ({ commits, disturbed }: VerifyRequest): ClientsReport['lags'] => {
  const committed = new Map(commits)
  const isQuiet = (at: number): boolean => !disturbed.some(([from, to]) => at >= from && at <= to)
  const measured = samples.flatMap(({ mcSeqno, at, connectedAt }) => {
    const commit = committed.get(mcSeqno)
    if (commit === undefined || commit <= connectedAt || !isQuiet(commit)) return []
    return [{ mcSeqno, commit, lag: Math.max(0, at - commit) }]
  })
  const lags = measured.map(({ lag }) => lag).sort((a, b) => a - b)
  const quantile = (share: number): number => lags[Math.min(lags.length - 1, Math.floor(share * lags.length))] ?? 0
  const byBlock = new Map<number, { readonly commit: number; readonly lag: number }>()
  for (const { mcSeqno, commit, lag } of measured) {
    if (lag > (byBlock.get(mcSeqno)?.lag ?? -1)) byBlock.set(mcSeqno, { commit, lag })
  }
  const slowest = [...byBlock.values()]
    .sort((a, b) => b.lag - a.lag)
    .slice(0, SLOWEST)
    .map(({ commit, lag }) => {
      const calm = disturbed.filter(([, to]) => to < commit).map(([, to]) => commit - to)
      return [lag, Math.round(Math.min(...calm) / 1000)] as const
    })
  const quantiles = { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), max: lags.at(-1) ?? 0 }
  return { count: lags.length, ...quantiles, slowest }
}

/** Some connections read the same past at once, as fast as they get it. */
const replay = async ({ port, since, until, connections }: ReplayRequest): Promise<ReplayReport> => {
  const begun = performance.now()
  const read = async (): Promise<{ readonly events: number; readonly bytes: number }> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/streaming/v2/sse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...everything, since: { mc_seqno: since }, until: { mc_seqno: until } }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    let events = 0
    for (let at = bytes.indexOf(EVENT); at >= 0; at = bytes.indexOf(EVENT, at + EVENT.length)) events++
    return { events, bytes: bytes.length }
  }
  const all = await Promise.all(Array.from({ length: connections }, read))
  const sum = (name: 'events' | 'bytes'): number => all.reduce((total, each) => total + each[name], 0)
  return { events: sum('events'), bytes: sum('bytes'), ms: performance.now() - begun }
}

const EVENT = Buffer.from('event: event\n')
const everything = { types: ['transactions', 'account_state_change'], addresses: ['*'], extended: true }

process.on('message', (message: { open?: CampaignPlan; verify?: VerifyRequest; replay?: ReplayRequest }) => {
  if (message.replay !== undefined) void replay(message.replay).then((report) => process.send?.({ report }))
  if (message.open !== undefined) void openAll(message.open).then(() => process.send?.({ opened: true }))
  if (message.verify !== undefined) {
    void verify(message.verify).then(
      (report) => process.send?.({ report }),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  }
})
process.send?.({ ready: true })
