import { setTimeout as delay } from 'node:timers/promises'
import { toldKeysOf } from '../eventKeys.ts'
import { NotKeptError, type StreamEvent } from '../events.ts'
import { type EventId, endOfBlock, formatEventId, type Position, type Since } from '../log/eventIds.ts'
import { type EventPart, matchEvent } from '../subscription/matchEvent.ts'
import { type Subscription, sinceAhead } from '../subscription/Subscription.ts'
import { NO_JOURNAL, type StreamHub } from './StreamHub.ts'

/** Why a connection did not get some events. */
export type Gap = {
  readonly lost: 'speculative' | 'all'
  readonly reason: 'slow_consumer' | 'journal_gone' | 'not_kept' | 'source'
  readonly from: string
  readonly to: string
}

/** Where a stream begins and ends. */
export type Start = {
  /** Everything after it is sent. */
  readonly position: Position
  /** What is lost before it. */
  readonly gap: Gap | undefined
  /** Traces and states of which the client may have got a speculative event before it resumed. */
  readonly told: readonly string[]
  /** Speculative events that came since. */
  readonly speculative: readonly EventPart[]
  readonly until: Position | undefined
  readonly untilUtime: number | undefined
}

export type StartOptions = {
  /** How far back a replay may go. */
  readonly maxDepthMs?: number | undefined
}

/** Time for this process to index the block a client resumes from: another process may have served it and been ahead. */
const AHEAD_WAIT_MS = 3000
const AHEAD_BLOCKS = 50
const POLL_MS = 50
/** Speculative events before the point of resuming that are looked at for traces to invalidate. */
const TOLD_BEFORE = 4096

/**
 * Where to begin for a subscription; throws `SubscriptionError` or `NotKeptError` if that is not possible. `undefined`: at the head, or where the
 * connection is.
 */
export const resolveStart = async (
  hub: StreamHub,
  subscription: Subscription,
  { maxDepthMs }: StartOptions = {},
): Promise<Start | undefined> => {
  await hub.start()
  const { since, until } = subscription
  if (since.kind === 'head' && until === undefined) return undefined
  const end = until === undefined ? { until: undefined, untilUtime: undefined } : resolveUntil(hub, until)
  const base = { told: [], speculative: [], gap: undefined, ...end }
  if (since.kind === 'head') return { ...base, position: endOfBlock(hub.latest) }
  const id = since.kind === 'id' ? since.id : undefined
  const asked = since.kind === 'id' ? since.id : endOfBlock(await seqnoOf(hub, since))
  await waitForBlock(hub, asked.mcSeqno)
  if (asked.mcSeqno > hub.latest) throw sinceAhead()
  const oldest = await findOldest(hub, maxDepthMs)
  const firstNeeded = isInBlock(asked) ? asked.mcSeqno : asked.mcSeqno + 1
  if (firstNeeded < oldest) return { ...base, ...(await startAtOldest(hub, subscription, oldest, id)) }
  hub.stats.resumed++
  if (id !== undefined && 'journal' in id) {
    return { ...base, position: endOfBlock(id.mcSeqno), ...resumeJournal(hub, subscription, id) }
  }
  return { ...base, position: asked }
}

const isInBlock = (position: Position): boolean => 'kind' in position && position.kind !== 'hd'

const seqnoOf = async (hub: StreamHub, since: Extract<Since, { kind: 'block' | 'time' }>): Promise<number> =>
  since.kind === 'block' ? since.mcSeqno : hub.log.findBefore(since.utime)

const resolveUntil = (hub: StreamHub, until: Since): Pick<Start, 'until' | 'untilUtime'> => {
  switch (until.kind) {
    case 'head':
      return { until: endOfBlock(hub.latest), untilUtime: undefined }
    case 'block':
      return { until: endOfBlock(until.mcSeqno), untilUtime: undefined }
    case 'time':
      return { until: undefined, untilUtime: until.utime }
    case 'id':
      return { until: 'journal' in until.id ? endOfBlock(until.id.mcSeqno) : until.id, untilUtime: undefined }
  }
}

/** Another process may have been some blocks ahead. */
const waitForBlock = async (hub: StreamHub, mcSeqno: number): Promise<void> => {
  if (mcSeqno > hub.latest + AHEAD_BLOCKS) return
  const end = performance.now() + AHEAD_WAIT_MS
  while (mcSeqno > hub.latest && performance.now() < end) await delay(POLL_MS)
}

const findOldest = async (hub: StreamHub, maxDepthMs: number | undefined): Promise<number> => {
  const oldest = await hub.log.findOldest()
  if (maxDepthMs === undefined) return oldest
  const before = await hub.log.findBefore(Math.floor((Date.now() - maxDepthMs) / 1000))
  return Math.max(oldest, before)
}

const startAtOldest = async (
  hub: StreamHub,
  { onGap }: Subscription,
  oldest: number,
  id: EventId | undefined,
): Promise<Pick<Start, 'position' | 'gap'>> => {
  if (onGap === 'fail') throw new NotKeptError(oldest)
  const { events } = await hub.read(oldest)
  const to = events[0]!.id
  const from = id === undefined ? to : formatEventId(id)
  return { position: endOfBlock(oldest - 1), gap: { lost: 'all', reason: 'not_kept', from, to } }
}

const resumeJournal = (
  { journal, latest }: StreamHub,
  subscription: Subscription,
  id: Extract<EventId, { journal: string }>,
): Pick<Start, 'gap' | 'told' | 'speculative'> => {
  // Nothing is lost for those who get finalized events only.
  const isFinal = subscription.minFinality === 'finalized'
  if (isFinal || id.journal === NO_JOURNAL) return { gap: undefined, told: [], speculative: [] }
  const since = journal?.name === id.journal ? journal.since(id.n) : undefined
  if (journal === undefined || since === undefined) {
    const from = formatEventId(id)
    const to = formatEventId({ mcSeqno: latest, journal: journal?.name ?? id.journal, n: 0 })
    return { gap: { lost: 'speculative', reason: 'journal_gone', from, to }, told: [], speculative: [] }
  }
  const before = journal.since(Math.max(0, id.n - TOLD_BEFORE)) ?? since
  const told = new Set(partsOf(subscription, before).flatMap(({ event }) => toldKeysOf(event)))
  return { gap: undefined, told: [...told], speculative: partsOf(subscription, since) }
}

const partsOf = (subscription: Subscription, events: readonly StreamEvent[]): EventPart[] =>
  events.flatMap((event) => matchEvent(subscription, event) ?? [])
