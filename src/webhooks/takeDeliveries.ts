import { randomBytes } from 'node:crypto'
import type { Logger } from '../observe/Logger.ts'
import type { NewDelivery } from '../store/webhooks/deliveries.ts'
import type { LogPosition } from '../store/webhooks/endpoints.ts'
import {
  type BlockEvents,
  ChainSetBackError,
  type EventLog,
  NotKeptError,
  type StreamEvent,
} from '../streaming/events.ts'
import { indexAfter, parseEventId } from '../streaming/log/eventIds.ts'
import { laneOfEvent, typeOfEvent } from './message.ts'

/** A subscription of an endpoint. */
export interface OpenedSubscription {
  /** Whether it has events that are not final. */
  readonly wantsSpeculative: boolean
  /** The JSON of what the endpoint gets of an event; `undefined` if that is nothing. */
  render(event: StreamEvent): string | Promise<string> | undefined
}

/** Deliveries and bytes that one transaction stores. */
const BATCH = 200
const BATCH_BYTES = 4 << 20
/** Blocks without a match after which others get a turn. */
const BLOCKS_AT_ONCE = 100

/** Deliveries of events, and the position in the log after them. */
export type Taken = { readonly deliveries: NewDelivery[]; readonly next: LogPosition; readonly isEnd: boolean }

export type TakeParts = {
  readonly log: EventLog
  readonly subscription: OpenedSubscription
  /** Of the endpoint. */
  readonly id: string
  readonly logger: Logger
  readonly now: () => number
  readonly signal: AbortSignal
}

/** The next deliveries after a position of the log, up to another one. */
export const takeDeliveries = async (parts: TakeParts, from: LogPosition, until: LogPosition): Promise<Taken> => {
  const { log, logger, subscription, now, signal, id } = parts
  const last = Math.min(log.head ?? 0, until.eventId === undefined ? until.mcSeqno : until.mcSeqno + 1)
  let position = from
  for (let blocks = 0; blocks < BLOCKS_AT_ONCE; blocks++) {
    if (position.mcSeqno >= last || signal.aborted) return { deliveries: [], next: position, isEnd: true }
    const block = await readBlock(log, position.mcSeqno + 1, signal)
    if (!('events' in block)) {
      logger.warn('webhook position moved', { endpoint: id, from: position.mcSeqno, to: block.mcSeqno })
      position = { mcSeqno: block.mcSeqno, eventId: undefined }
      continue
    }
    const { mcSeqno, events } = block
    const isLast = mcSeqno > until.mcSeqno && until.eventId !== undefined
    const own = events.slice(
      position.eventId === undefined ? 0 : indexAfter(events, parseEventId(position.eventId)),
      isLast ? indexAfter(events, parseEventId(until.eventId!)) : undefined,
    )
    const { deliveries, used } = await renderDeliveries(subscription, own, now)
    const isDone = used === own.length
    position =
      isDone && !isLast
        ? { mcSeqno, eventId: undefined }
        : { mcSeqno: mcSeqno - 1, eventId: own[used - 1]?.id ?? position.eventId }
    const isEnd = isDone && mcSeqno >= last
    if (deliveries.length > 0 || isEnd) return { deliveries, next: position, isEnd }
  }
  return { deliveries: [], next: position, isEnd: false }
}

/** The events of a block, or where the log goes on instead. */
const readBlock = async (
  log: EventLog,
  mcSeqno: number,
  signal: AbortSignal,
): Promise<BlockEvents | { readonly mcSeqno: number }> => {
  try {
    return await log.read(mcSeqno, signal)
  } catch (error) {
    if (error instanceof NotKeptError) return { mcSeqno: error.oldest - 1 }
    if (error instanceof ChainSetBackError) return { mcSeqno: error.mcSeqno }
    throw error
  }
}

/** Deliveries of the first events that fit into a batch, and how many events were used. */
export const renderDeliveries = async (
  subscription: OpenedSubscription,
  events: readonly StreamEvent[],
  now: () => number,
): Promise<{ readonly deliveries: NewDelivery[]; readonly used: number }> => {
  const deliveries: NewDelivery[] = []
  let bytes = 0
  let used = 0
  for (const event of events) {
    if (deliveries.length >= BATCH || bytes >= BATCH_BYTES) break
    used++
    const data = await subscription.render(event)
    if (data === undefined) continue
    bytes += data.length
    const isSpeculative = event.id.startsWith('s-')
    deliveries.push({
      id: `wd_${randomBytes(10).toString('hex')}`,
      eventId: event.id,
      type: typeOfEvent(event),
      lane: laneOfEvent(event),
      eventAt: isSpeculative ? now() : event.utime * 1000,
      mcSeqno: event.mcSeqno,
      isSpeculative,
      data,
    })
  }
  return { deliveries, used }
}
