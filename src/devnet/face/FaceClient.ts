import type { AdnlConnection } from '../../adnl/AdnlConnection.ts'
import { AdnlError } from '../../adnl/errors.ts'
import { MAX_PAYLOAD } from '../../adnl/frames.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import type { Logger } from '../../observe/Logger.ts'
import { Budget } from './Budget.ts'
import { encodeRefusal, type LiteFace } from './LiteFace.ts'
import { LiteRefusal } from './LiteRefusal.ts'
import type { Lane } from './TurnQueue.ts'

/** What all clients of a server share. */
export type FaceServing = {
  readonly face: LiteFace
  readonly logger: Logger
  /** Questions of all clients that wait for a block. */
  readonly waiting: Budget
  /** Whether so much waits to be read by all clients together that a slow one has to go. */
  isClogged(): boolean
}

const MAX_WAITING = 256
const MAX_WAITING_BYTES = 1 << 20
/** A client behind which less waits to be read is never the slow one. */
const SLOW_BYTES = 1 << 20

const tooBusy = new LiteRefusal(-503, 'too many queries at once')

/** One connection: its questions wait for their block, then for their turn, and their answers go back on it. */
export class FaceClient {
  private readonly connection: AdnlConnection
  private readonly lane: Lane
  private readonly serving: FaceServing
  private readonly waiting = new Budget(MAX_WAITING, MAX_WAITING_BYTES)
  private readonly closing = new AbortController()

  constructor(connection: AdnlConnection, lane: Lane, serving: FaceServing) {
    this.connection = connection
    this.lane = lane
    this.serving = serving
  }

  ask(queryId: Uint8Array, data: Uint8Array): void {
    if (this.serving.face.isReady(data)) this.enqueue(queryId, data)
    else if (!this.waiting.take(data.length)) this.refuse(queryId, tooBusy)
    else if (!this.serving.waiting.take(data.length)) {
      this.waiting.giveBack(data.length)
      this.refuse(queryId, tooBusy)
    } else void this.wait(queryId, data)
  }

  close(): void {
    this.closing.abort()
    this.lane.close()
  }

  private async wait(queryId: Uint8Array, data: Uint8Array): Promise<void> {
    const { face, logger, waiting } = this.serving
    try {
      const question = await face.wait(data, this.closing.signal)
      if (question instanceof LiteRefusal) this.refuse(queryId, question)
      else if (!this.closing.signal.aborted) this.enqueue(queryId, question)
    } catch (error) {
      if (!this.closing.signal.aborted) logger.error('waiting failed', { error })
    } finally {
      this.waiting.giveBack(data.length)
      waiting.giveBack(data.length)
    }
  }

  private enqueue(queryId: Uint8Array, data: Uint8Array): void {
    const isTaken = this.lane.add(data.length, async () => this.send(queryId, await this.serving.face.run(data)))
    if (!isTaken) this.refuse(queryId, tooBusy)
  }

  private refuse(queryId: Uint8Array, refusal: LiteRefusal): void {
    this.send(queryId, encodeRefusal(refusal))
  }

  private send(queryId: Uint8Array, answer: Uint8Array): void {
    const { connection } = this
    if (!connection.isOpen) return
    const payload = encodeTlObject({ kind: 'adnl.message.answer', queryId, answer })
    if (payload.length > MAX_PAYLOAD) {
      // As the reference does: no error, no answer, and the client's time runs out.
      this.serving.logger.debug('answer too large', { bytes: payload.length })
      return
    }
    connection.send(payload)
    if (connection.isOpen && connection.queuedBytes > SLOW_BYTES && this.serving.isClogged()) {
      connection.fail(new AdnlError('A client reads its answers too slowly while many wait to be sent.'))
    }
  }
}
