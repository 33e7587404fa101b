import { createConnection, type Socket } from 'node:net'

/** A request as it goes over the wire. */
export type RawRequest = Buffer

export const rawGet = (url: string, path: string): RawRequest =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`)

export const rawPost = (url: string, path: string, body: unknown): RawRequest => {
  const text = JSON.stringify(body)
  const head = `POST ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\ncontent-type: application/json\r\n`
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}

export type LoadResult = {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Answers with a status other than 200, by that status. */
  readonly failures: ReadonlyMap<number, number>
  /** How many answers had been made before, as their `@extra` says. */
  readonly kept: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const KEPT_MARK = Buffer.from(':c"')

/** One connection that is kept: each request waits for the answer to the one before. */
class Connection {
  private readonly socket: Socket
  private chunks: Buffer[] = []
  private size = 0
  private expected = 0
  private resolve: ((answer: Buffer) => void) | undefined
  private reject: ((error: Error) => void) | undefined

  constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.take(chunk))
    socket.on('error', (error) => this.reject?.(error))
    socket.on('close', () => this.reject?.(new Error('The server closed a connection.')))
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = createConnection({ host: hostname, port: Number(port) }, () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  /** The server closes connections that nobody uses for a while. */
  get isClosed(): boolean {
    return this.socket.destroyed || this.socket.readableEnded
  }

  ask(request: RawRequest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) reject(new Error('The server has closed the connection.'))
      this.resolve = resolve
      this.reject = reject
      this.socket.write(request)
    })
  }

  close(): void {
    this.socket.destroy()
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.expected === 0) {
      const all = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks)
      const end = all.indexOf(END_OF_HEAD)
      if (end < 0) return
      const [, length = '0'] = /content-length: ([0-9]+)/i.exec(all.toString('latin1', 0, end)) ?? []
      this.expected = end + END_OF_HEAD.length + Number(length)
    }
    if (this.size < this.expected) return
    const answer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks)
    this.chunks = []
    this.size = 0
    this.expected = 0
    this.resolve?.(answer)
  }
}

const quantilesOf = (values: number[]): ((share: number) => number) => {
  values.sort((a, b) => a - b)
  return (share) => values[Math.floor(share * (values.length - 1))] ?? Number.NaN
}

export type LoadOptions = {
  readonly connections: number
  readonly durationMs: number
  /** Ends after as many, too. */
  readonly maxRequests?: number
  /** Called when the connections are open, and again before they are closed: neither is part of the requests. */
  readonly onBounds?: () => void | Promise<void>
}

/** Asks over many kept connections for some time. `next` gives the requests. */
export const runLoad = async (
  url: string,
  next: () => RawRequest,
  { connections, durationMs, maxRequests = Number.POSITIVE_INFINITY, onBounds }: LoadOptions,
): Promise<LoadResult> => {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)))
  const latencies: number[] = []
  const failures = new Map<number, number>()
  let kept = 0
  let begun = 0
  await onBounds?.()
  const start = performance.now()
  const lane = async (connection: Connection): Promise<void> => {
    while (performance.now() - start < durationMs && begun++ < maxRequests) {
      const askedAt = performance.now()
      const answer = await connection.ask(next())
      latencies.push(performance.now() - askedAt)
      const status = Number(answer.toString('latin1', 9, 12))
      if (status !== 200) failures.set(status, (failures.get(status) ?? 0) + 1)
      if (answer.subarray(-40).includes(KEPT_MARK)) kept++
    }
  }
  await Promise.all(opened.map(lane))
  const seconds = (performance.now() - start) / 1000
  await onBounds?.()
  for (const connection of opened) connection.close()
  const at = quantilesOf(latencies)
  return { requests: latencies.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), failures, kept }
}

export type OfferOptions = {
  readonly perSecond: number
  readonly durationMs: number
  /** A request for which no more connections may be opened is not sent. */
  readonly maxConnections: number
}

export type OfferResult = {
  readonly offered: number
  /** Requests that were not sent, because all connections waited. */
  readonly unsent: number
  /** Answers by status; 0 is a connection that failed. */
  readonly statuses: ReadonlyMap<number, number>
  /** Of the answers with status 200, from the time at which each request was due. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** How much later than due requests were sent, because this process had no time: part of the times above. */
  readonly lateP99Ms: number
  /** 503 answers without the header Retry-After. */
  readonly unadvised: number
  readonly seconds: number
}

const TICK_MS = 5

/** Offers requests at a fixed rate, whether or not earlier ones have been answered. */
export const offerLoad = async (
  url: string,
  next: () => RawRequest,
  { perSecond, durationMs, maxConnections }: OfferOptions,
): Promise<OfferResult> => {
  const idle: Connection[] = []
  const running = new Set<Promise<void>>()
  const latencies: number[] = []
  const lates: number[] = []
  const statuses = new Map<number, number>()
  let [offered, unsent, unadvised, open] = [0, 0, 0, 0]
  const start = performance.now()
  const send = async (dueAt: number): Promise<void> => {
    let status = 0
    lates.push(performance.now() - dueAt)
    try {
      let connection = idle.pop()
      // Its place is taken by the one that is opened.
      if (connection === undefined || connection.isClosed) connection = await Connection.open(url)
      const answer = await connection.ask(next())
      idle.push(connection)
      status = Number(answer.toString('latin1', 9, 12))
      if (status === 200) latencies.push(performance.now() - dueAt)
      if (status === 503 && !/\r\nretry-after: /i.test(answer.toString('latin1', 0, 2048))) unadvised++
    } catch {
      open--
    }
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  for (;;) {
    const elapsed = performance.now() - start
    if (elapsed > durationMs) break
    for (; offered < (elapsed * perSecond) / 1000; offered++) {
      if (idle.length === 0 && open >= maxConnections) {
        unsent++
        continue
      }
      if (idle.length === 0) open++
      const sent = send(start + (1000 * offered) / perSecond)
      running.add(sent)
      void sent.then(() => running.delete(sent))
    }
    await new Promise((done) => setTimeout(done, TICK_MS))
  }
  const seconds = (performance.now() - start) / 1000
  await Promise.all(running)
  for (const connection of idle) connection.close()
  const at = quantilesOf(latencies)
  const lateP99Ms = quantilesOf(lates)(0.99)
  return { offered, unsent, statuses, p50Ms: at(0.5), p99Ms: at(0.99), lateP99Ms, unadvised, seconds }
}
