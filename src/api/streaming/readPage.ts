import { ChainSetBackError, type EventLog, NotKeptError } from '../../streaming/events.ts'
import {
  comparePositions,
  endOfBlock,
  formatEventId,
  indexAfter,
  type Position,
  positionOf,
  type Since,
} from '../../streaming/log/eventIds.ts'
import { type EventPart, matchEvent } from '../../streaming/subscription/matchEvent.ts'
import { type Subscription, sinceAhead } from '../../streaming/subscription/Subscription.ts'
import { IndexEmptyError } from '../v3/errors.ts'

export type PageRequest = {
  readonly log: EventLog
  readonly subscription: Subscription
  readonly render: (part: EventPart, subscription: Subscription) => string | Promise<string>
  /** Maximum number of events. */
  readonly limit: number
  /** How long to wait for an event if there is none. */
  readonly waitMs: number
  /** How far back a page may begin. */
  readonly maxDepthMs: number | undefined
  readonly signal: AbortSignal
}

export type PageGap = {
  readonly lost: 'speculative' | 'all'
  readonly reason: 'journal_gone' | 'not_kept'
  readonly from: string
  readonly to: string
}

/** Events as JSON, and ids of the log. */
export type EventPage = {
  readonly events: readonly string[]
  /** Everything up to it was looked at. */
  readonly next: string
  readonly head: string
  readonly oldest: string
  readonly gap: PageGap | undefined
}

/** A page ends after this many blocks, time or text, even without events: the next one goes on. */
const MAX_BLOCKS = 1000
const MAX_SCAN_MS = 3000
const MAX_TEXT = 16 * 1024 * 1024

/** A page of the finalized log. */
export const readPage = async (request: PageRequest): Promise<EventPage> => {
  const { log, subscription, signal } = request
  const first = await log.findHead()
  if (first === undefined) throw new IndexEmptyError()
  const oldest = await findOldest(request)
  const { position, gap } = await resolveSince(request, first, oldest)
  const scan = new Scan(request, position, await resolveUntil(log, subscription.until, first))
  const end = performance.now() + request.waitMs
  let head = first
  await scan.run(head)
  while (scan.events.length === 0 && !scan.isDone && scan.nextSeqno > head && performance.now() < end) {
    head = (await waitForBlock(log, head, end - performance.now(), signal)) ?? head
    await scan.run(head)
  }
  const next = scan.next ?? (await headId(log, Math.min(head, position.mcSeqno)))
  const oldestId = (await log.read(oldest, signal)).events[0]!.id
  return {
    events: scan.events,
    next,
    head: await headId(log, head),
    oldest: oldestId,
    gap: gap && { ...gap, to: next },
  }
}

const headId = async (log: EventLog, mcSeqno: number): Promise<string> => (await log.read(mcSeqno)).events.at(-1)!.id

const findOldest = async ({ log, maxDepthMs }: PageRequest): Promise<number> => {
  const oldest = await log.findOldest()
  if (maxDepthMs === undefined) return oldest
  return Math.max(oldest, await log.findBefore(Math.floor((Date.now() - maxDepthMs) / 1000)))
}

const isInBlock = (position: Position): boolean => 'kind' in position && position.kind !== 'hd'

/** The first block with events after a position. */
const seqnoAfter = (position: Position): number => position.mcSeqno + (isInBlock(position) ? 0 : 1)

const resolveSince = async (
  { log, subscription }: PageRequest,
  head: number,
  oldest: number,
): Promise<{ readonly position: Position; readonly gap: Omit<PageGap, 'to'> | undefined }> => {
  const { since, onGap, minFinality } = subscription
  const position = await toPosition(log, since, head)
  if (position.mcSeqno > head) throw sinceAhead()
  const from = since.kind === 'id' ? formatEventId(since.id) : ''
  if (seqnoAfter(position) < oldest) {
    if (onGap === 'fail') throw new NotKeptError(oldest)
    return { position: endOfBlock(oldest - 1), gap: { lost: 'all', reason: 'not_kept', from } }
  }
  // Pages have finalized events only.
  const isLost = since.kind === 'id' && 'journal' in since.id && minFinality !== 'finalized'
  return { position, gap: isLost ? { lost: 'speculative', reason: 'journal_gone', from } : undefined }
}

const toPosition = async (log: EventLog, since: Since, head: number): Promise<Position> => {
  switch (since.kind) {
    case 'head':
      return endOfBlock(head)
    case 'id':
      return 'journal' in since.id ? endOfBlock(since.id.mcSeqno) : since.id
    case 'block':
      return endOfBlock(since.mcSeqno)
    case 'time':
      return endOfBlock(await log.findBefore(since.utime))
  }
}

const resolveUntil = async (log: EventLog, until: Since | undefined, head: number): Promise<Position | undefined> =>
  until && toPosition(log, until, head)

/** Looks at block after block. */
class Scan {
  readonly events: string[] = []
  /** Id of the last event that was looked at. */
  next: string | undefined
  /** The page is full, or the end is reached. */
  isDone = false
  private readonly request: PageRequest
  private readonly until: Position | undefined
  private readonly deadline = performance.now() + MAX_SCAN_MS
  private position: Position
  private blocks = 0
  private text = 0

  constructor(request: PageRequest, position: Position, until: Position | undefined) {
    this.request = request
    this.position = position
    this.until = until
  }

  get nextSeqno(): number {
    return seqnoAfter(this.position)
  }

  async run(head: number): Promise<void> {
    const { log, signal } = this.request
    while (!this.isDone && this.nextSeqno <= head) {
      const { mcSeqno, events } = await log.read(this.nextSeqno, signal)
      for (const event of events.slice(indexAfter(events, this.position))) {
        if (this.until !== undefined && comparePositions(positionOf(event), this.until) > 0) {
          this.isDone = true
          return
        }
        await this.look(event)
        if (this.isDone) return
      }
      this.position = endOfBlock(mcSeqno)
      this.isDone = ++this.blocks >= MAX_BLOCKS || (this.blocks > 1 && performance.now() > this.deadline)
    }
  }

  private async look(event: EventPart['event']): Promise<void> {
    const { subscription, render, limit } = this.request
    const part = matchEvent(subscription, event)
    if (part !== undefined) {
      const text = await render(part, subscription)
      this.events.push(text)
      this.text += text.length
      this.isDone = this.events.length >= limit || this.text > MAX_TEXT
    }
    this.next = event.id
    this.position = positionOf(event)
  }
}

/** The newest block once there is one after `head`; `undefined` if the time is over. */
const waitForBlock = (log: EventLog, head: number, ms: number, signal: AbortSignal): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      leave()
      settle()
    }
    const abort = (): void => finish(() => reject(signal.reason))
    const timer = setTimeout(() => finish(() => resolve(undefined)), Math.max(0, ms))
    const leave = log.follow(
      ({ mcSeqno }) => {
        if (mcSeqno > head) finish(() => resolve(mcSeqno))
      },
      (mcSeqno) => finish(() => reject(new ChainSetBackError(mcSeqno))),
    )
    signal.addEventListener('abort', abort)
    // A block may have come before anybody followed.
    log.findHead().then(
      (newest) => {
        if (newest !== undefined && newest > head) finish(() => resolve(newest))
      },
      (error: unknown) => finish(() => reject(error)),
    )
  })
