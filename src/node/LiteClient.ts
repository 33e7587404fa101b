import { randomBytes } from 'node:crypto'
import type { AdnlConnection } from '../adnl/AdnlConnection.ts'
import { connectAdnl } from '../adnl/connectAdnl.ts'
import { AdnlError } from '../adnl/errors.ts'
import { NodeAnswerError, NodeRefusedError, NodeTimeoutError, NodeUnavailableError } from '../chain/errors.ts'
import {
  decodeLiteAnswer,
  encodeLiteQuery,
  type LiteCall,
  type LiteFunctionName,
  prependWait,
} from '../codec/tl/liteQuery.ts'
import { TlError } from '../codec/tl/TlError.ts'
import { TlReader } from '../codec/tl/TlReader.ts'
import { encodeTlObject, tlIds, tlRows } from '../codec/tl/tlObject.ts'
import type { TlArguments, TlResults, TlTypes } from '../codec/tl/tlTypes.ts'
import { findTracer, runSpan } from '../observe/Tracer.ts'
import { bytesEqual, getU32LE, putU32LE } from '../primitives/bytes.ts'
import { type LiteServerAddress, nameLiteServer } from '../primitives/LiteServerAddress.ts'
import { type Backoff, backoffMs, DEFAULT_BACKOFF, onAbort } from '../primitives/scheduling.ts'

export type QueryOptions = {
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The server first waits for this masterchain block, up to the timeout. */
  readonly wait?: { readonly seqno: number; readonly timeoutMs: number } | undefined
}

export type LiteClientOptions = {
  readonly connectTimeoutMs?: number
  readonly timeoutMs?: number
  readonly maxInFlight?: number
  readonly backoff?: Backoff
}

type Settle = (error: Error | undefined, answer: Uint8Array) => void

type Pending = {
  readonly id: Uint8Array
  settle: Settle
}

const isSettled: Settle = () => undefined

const NO_BYTES = new Uint8Array(0)
const { read: readAnswer } = tlRows['adnl.message.answer']
/** Behind more requests that wait for their answers, a millisecond is a small part of what one takes. With fewer the server may run idle. */
const FEW = 4
/** A connection that broke sooner than this counts as a failed attempt. */
const STEADY_MS = 1000

/**
 * A client of one liteserver: connects on the first request, multiplexes requests over one connection, and after a failure
 * refuses to reconnect until its backoff is over, so that callers with other servers use those at once.
 */
export class LiteClient {
  readonly address: LiteServerAddress
  readonly name: string
  private readonly options: Required<LiteClientOptions>
  private readonly pending = new Map<number, Pending>()
  private readonly closing = new AbortController()
  private connection: AdnlConnection | undefined
  private connecting: Promise<AdnlConnection> | undefined
  private connectedAt = 0
  private failures = 0
  private retryAt = 0
  private lastFailure: Error | undefined
  private nextId = 0
  private readonly idBase = new Uint8Array(randomBytes(32))
  private readonly tracer = findTracer()

  constructor(address: LiteServerAddress, options: LiteClientOptions = {}) {
    this.address = address
    this.name = nameLiteServer(address)
    this.options = {
      connectTimeoutMs: 5000,
      timeoutMs: 10_000,
      maxInFlight: 1024,
      backoff: DEFAULT_BACKOFF,
      ...options,
    }
  }

  get isConnected(): boolean {
    return this.connection?.isOpen === true
  }

  get inFlight(): number {
    return this.pending.size
  }

  /** Calls a function of the server; its errors become NodeRefusedError. */
  query<K extends LiteFunctionName>(kind: K, args: TlArguments[K], options: QueryOptions = {}): Promise<TlResults[K]> {
    return this.queryEncoded(kind, encodeLiteQuery({ call: { kind, ...args } as unknown as LiteCall }), options)
  }

  /** As `query`, with encoded arguments. */
  queryEncoded<K extends LiteFunctionName>(
    kind: K,
    data: Uint8Array,
    options: QueryOptions = {},
  ): Promise<TlResults[K]> {
    const { tracer } = this
    if (tracer?.current() === undefined) return this.ask(kind, data, options)
    const { host, port } = this.address
    const attributes = {
      'rpc.system.name': 'liteserver',
      'rpc.method': kind,
      'server.address': host,
      'server.port': port,
    }
    return runSpan(tracer, kind, { kind: 'client', attributes }, () => this.ask(kind, data, options))
  }

  private async ask<K extends LiteFunctionName>(
    kind: K,
    data: Uint8Array,
    options: QueryOptions,
  ): Promise<TlResults[K]> {
    const { wait } = options
    const bytes = await this.queryRaw(wait === undefined ? data : prependWait(wait, data), options)
    let answer: ReturnType<typeof decodeLiteAnswer<K>>
    try {
      answer = decodeLiteAnswer(kind, bytes)
    } catch (cause) {
      if (!(cause instanceof TlError)) throw cause
      throw new NodeAnswerError(`${this.name} sent an invalid answer to ${kind}: ${cause.message}`, { cause })
    }
    if (!answer.ok) throw new NodeRefusedError(answer.error.code, answer.error.message)
    return answer.result
  }

  /** Sends the bytes of a request, including a prefix, and returns the bytes of the answer. */
  async queryRaw(
    data: Uint8Array,
    { timeoutMs = this.options.timeoutMs, signal }: QueryOptions = {},
  ): Promise<Uint8Array> {
    signal?.throwIfAborted()
    const deadline = performance.now() + timeoutMs
    const connection = this.isConnected ? (this.connection as AdnlConnection) : await this.connect(timeoutMs, signal)
    if (this.pending.size >= this.options.maxInFlight) {
      throw new NodeUnavailableError(`${this.name} already has ${this.pending.size} requests in flight.`)
    }
    return new Promise((resolve, reject) => {
      const { number, id } = this.createQueryId()
      const settle: Settle = (error, answer) => {
        clearTimeout(timer)
        leave?.()
        this.pending.delete(number)
        // As in SingleFlight: tables that the Map has left behind would keep the whole request alive until a major collection.
        pending.settle = isSettled
        if (error === undefined) resolve(answer)
        else reject(error)
      }
      const timer = setTimeout(() => {
        settle(new NodeTimeoutError(`${this.name} did not answer within ${timeoutMs} ms.`), NO_BYTES)
      }, deadline - performance.now())
      const leave = signal && onAbort(signal, () => settle(signal.reason as Error, NO_BYTES))
      const pending: Pending = { id, settle }
      this.pending.set(number, pending)
      const query = encodeTlObject({ kind: 'liteServer.query', data })
      try {
        const canWait = this.hasEnough(connection)
        connection.send(encodeTlObject({ kind: 'adnl.message.query', queryId: id, query }), canWait)
      } catch (cause) {
        settle(this.unavailable(cause), NO_BYTES)
      }
    })
  }

  /** Closes the connection and rejects all requests in flight. The client cannot be used afterwards. */
  close(): void {
    this.closing.abort()
    this.connection?.close()
    this.connection = undefined
    this.rejectAll(new NodeUnavailableError(`The client of ${this.name} was closed.`))
  }

  private async connect(timeoutMs: number, signal: AbortSignal | undefined): Promise<AdnlConnection> {
    if (this.closing.signal.aborted) throw new NodeUnavailableError(`The client of ${this.name} was closed.`)
    const rest = this.retryAt - performance.now()
    if (this.connecting === undefined && rest > 0) {
      const reason = this.lastFailure?.message ?? 'the last attempt failed.'
      throw new NodeUnavailableError(`${this.name} is unavailable, reconnect in ${Math.ceil(rest)} ms: ${reason}`, {
        cause: this.lastFailure,
      })
    }
    this.connecting ??= this.open()
    // The attempt is shared; each caller has its own timeout.
    return withinTime(this.connecting, timeoutMs, signal, this.name)
  }

  private async open(): Promise<AdnlConnection> {
    const { host, port, publicKey } = this.address
    try {
      const connection: AdnlConnection = await connectAdnl({
        host,
        port,
        publicKey,
        timeoutMs: this.options.connectTimeoutMs,
        signal: this.closing.signal,
        onPayload: (payload) => this.receive(payload),
        onClose: (error) => this.lose(error),
      })
      this.connection = connection
      this.connectedAt = performance.now()
      return connection
    } catch (cause) {
      if (!(cause instanceof AdnlError)) throw cause
      this.countFailure(cause)
      throw this.unavailable(cause)
    } finally {
      this.connecting = undefined
    }
  }

  private receive(payload: Uint8Array): void {
    if (getU32LE(payload, 0) !== tlIds['adnl.message.answer']) return
    const r = new TlReader(payload)
    r.readUint()
    let message: TlTypes['adnl.message.answer']
    try {
      message = readAnswer(r)
    } catch (cause) {
      if (!(cause instanceof TlError)) throw cause
      this.connection?.fail(new AdnlError(`Malformed answer: ${cause.message}`, { cause }))
      return
    }
    // Answers to aborted requests are ignored.
    const pending = this.pending.get(getU32LE(message.queryId, 0))
    if (pending !== undefined && bytesEqual(pending.id, message.queryId)) pending.settle(undefined, message.answer)
    if (this.connection !== undefined && !this.hasEnough(this.connection)) this.connection.hurry()
  }

  /** Whether the server has enough to do until a request that waits goes out with others. */
  private hasEnough({ unsentPackets }: AdnlConnection): boolean {
    return this.pending.size - unsentPackets > FEW
  }

  private lose(error: AdnlError | undefined): void {
    this.connection = undefined
    if (performance.now() - this.connectedAt < STEADY_MS) this.countFailure(error)
    else this.failures = 0
    this.rejectAll(this.unavailable(error))
  }

  private countFailure(error: Error | undefined): void {
    this.failures++
    this.lastFailure = error
    this.retryAt = performance.now() + backoffMs(this.options.backoff, this.failures)
  }

  private rejectAll(error: Error): void {
    for (const { settle } of [...this.pending.values()]) settle(error, NO_BYTES)
  }

  private unavailable(cause: unknown): NodeUnavailableError {
    const reason = cause instanceof Error ? cause.message : 'the connection was closed.'
    return new NodeUnavailableError(`${this.name} is unavailable: ${reason}`, { cause })
  }

  /** Ids are counted in their first four bytes, so that a pending request is found without a text key; the rest is this client's own. */
  private createQueryId(): { readonly number: number; readonly id: Uint8Array } {
    const number = this.nextId
    this.nextId = (this.nextId + 1) >>> 0
    const id = this.idBase.slice()
    putU32LE(id, 0, number)
    return { number, id }
  }
}

const withinTime = async <T>(
  work: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  name: string,
): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  let leave: (() => void) | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new NodeTimeoutError(`Connection to ${name} timed out after ${timeoutMs} ms.`))
    }, timeoutMs)
    leave = signal && onAbort(signal, () => reject(signal.reason))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    leave?.()
  }
}
