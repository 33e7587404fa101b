import type { AdnlConnection } from '../../adnl/AdnlConnection.ts'
import { AdnlError } from '../../adnl/errors.ts'
import { MAX_PAYLOAD } from '../../adnl/frames.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Lane } from './FairQueue.ts'
import { LiteserverError } from './LiteFunction.ts'
import { encodeError, type Liteserver } from './Liteserver.ts'

/** Resources shared by all sessions of a server. */
export type SessionResources = {
  readonly liteserver: Liteserver
  readonly logger: Logger
  /** Requests of all sessions that wait for a block. */
  readonly waiting: Budget
  /** Whether unsent answers exceed the limit, so that slow clients are disconnected. */
  isClogged(): boolean
}

const MAX_WAITING = 256
const MAX_WAITING_BYTES = 1 << 20
/** A client with fewer unsent bytes is never considered slow. */
const SLOW_BYTES = 1 << 20

const tooBusy = new LiteserverError(-503, 'too many queries at once')

/** One client connection: its requests wait for their block, then in the fair queue, and are answered on it. */
export class LiteserverSession {
  private readonly connection: AdnlConnection
  private readonly lane: Lane
  private readonly resources: SessionResources
  private readonly waiting = new Budget(MAX_WAITING, MAX_WAITING_BYTES)
  private readonly closing = new AbortController()

  constructor(connection: AdnlConnection, lane: Lane, resources: SessionResources) {
    this.connection = connection
    this.lane = lane
    this.resources = resources
  }

  receive(queryId: Uint8Array, data: Uint8Array): void {
    if (this.resources.liteserver.isReady(data)) this.enqueue(queryId, data)
    else if (!this.waiting.take(data.length)) this.refuse(queryId, tooBusy)
    else if (!this.resources.waiting.take(data.length)) {
      this.waiting.giveBack(data.length)
      this.refuse(queryId, tooBusy)
    } else void this.wait(queryId, data)
  }

  close(): void {
    this.closing.abort()
    this.lane.close()
  }

  private async wait(queryId: Uint8Array, data: Uint8Array): Promise<void> {
    const { liteserver, logger, waiting } = this.resources
    try {
      const request = await liteserver.wait(data, this.closing.signal)
      if (request instanceof LiteserverError) this.refuse(queryId, request)
      else if (!this.closing.signal.aborted) this.enqueue(queryId, request)
    } catch (error) {
      if (!this.closing.signal.aborted) logger.error('wait for block failed', { error })
    } finally {
      this.waiting.giveBack(data.length)
      waiting.giveBack(data.length)
    }
  }

  private enqueue(queryId: Uint8Array, data: Uint8Array): void {
    const isTaken = this.lane.add(data.length, async () =>
      this.send(queryId, await this.resources.liteserver.run(data)),
    )
    if (!isTaken) this.refuse(queryId, tooBusy)
  }

  private refuse(queryId: Uint8Array, refusal: LiteserverError): void {
    this.send(queryId, encodeError(refusal))
  }

  private send(queryId: Uint8Array, answer: Uint8Array): void {
    const { connection } = this
    if (!connection.isOpen) return
    const payload = encodeTlObject({ kind: 'adnl.message.answer', queryId, answer })
    if (payload.length > MAX_PAYLOAD) {
      // As the reference does: no error, no answer, and the client's time runs out.
      this.resources.logger.debug('answer too large', { bytes: payload.length })
      return
    }
    connection.send(payload)
    if (connection.isOpen && connection.queuedBytes > SLOW_BYTES && this.resources.isClogged()) {
      connection.fail(new AdnlError('A client reads its answers too slowly while many wait to be sent.'))
    }
  }
}

/** A limit on the number and total size of held items. */
export class Budget {
  private readonly maxCount: number
  private readonly maxSize: number
  private count = 0
  private size = 0

  constructor(maxCount: number, maxSize: number) {
    this.maxCount = maxCount
    this.maxSize = maxSize
  }

  get held(): number {
    return this.count
  }

  /** Takes one item if the limits allow it; give it back later. */
  take(size: number): boolean {
    if (this.count >= this.maxCount || this.size + size > this.maxSize) return false
    this.count++
    this.size += size
    return true
  }

  giveBack(size: number): void {
    this.count--
    this.size -= size
  }
}
