import { getU32BE } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type EventKind, eventKinds } from '../events.ts'

/** A value of `since` or `until`, or an event id, is malformed. */
export class InvalidSinceError extends CodedError {
  readonly code = 'invalid_since'

  constructor(value: unknown) {
    super(`invalid since: ${showValue(value)}`)
  }
}

const SHOWN = 100

const showValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** The order of a finalized event: masterchain block, largest logical time, kind, subject. */
export type FinalizedId = {
  readonly mcSeqno: number
  readonly lt: bigint
  readonly kind: EventKind
  /** 16 hexadecimal digits: the start of the trace hash, account or block hash. */
  readonly subject: string
}

/** A speculative event: the newest finalized block when it was made, the journal, and its number there. */
export type SpeculativeId = { readonly mcSeqno: number; readonly journal: string; readonly n: number }

export type EventId = FinalizedId | SpeculativeId

const isSpeculative = (id: EventId): id is SpeculativeId => 'journal' in id

export const formatEventId = (id: EventId): string =>
  isSpeculative(id) ? `s-${id.mcSeqno}-${id.journal}-${id.n}` : `f-${id.mcSeqno}-${id.lt}-${id.kind}-${id.subject}`

/** The subject of an id: the first 8 bytes of a hash, in hexadecimal. */
export const subjectOf = (hash: Uint8Array): string =>
  getU32BE(hash, 0).toString(16).padStart(8, '0') + getU32BE(hash, 4).toString(16).padStart(8, '0')

const MAX_SEQNO = 0x7fff_ffff
const MAX_LT = (1n << 63n) - 1n

const NUMBER = '(0|[1-9][0-9]{0,18})'
const FINALIZED = new RegExp(`^f-${NUMBER}-${NUMBER}-(${eventKinds.join('|')})-([0-9a-f]{16})$`)
const SPECULATIVE = new RegExp(`^s-${NUMBER}-([0-9a-f]{8})-${NUMBER}$`)

/** Reads an id as `formatEventId` wrote it; throws `InvalidSinceError` for anything else. */
export const parseEventId = (text: string): EventId => {
  const [, seqno, lt, kind, subject] = FINALIZED.exec(text) ?? []
  if (seqno !== undefined && Number(seqno) <= MAX_SEQNO && BigInt(lt!) <= MAX_LT) {
    return { mcSeqno: Number(seqno), lt: BigInt(lt!), kind: kind as EventKind, subject: subject! }
  }
  const [, newest, journal, n] = SPECULATIVE.exec(text) ?? []
  if (newest !== undefined && Number(newest) <= MAX_SEQNO && Number(n) <= Number.MAX_SAFE_INTEGER) {
    return { mcSeqno: Number(newest), journal: journal!, n: Number(n) }
  }
  throw new InvalidSinceError(text)
}

const kindOrder: ReadonlyMap<EventKind, number> = new Map(eventKinds.map((kind, index) => [kind, index]))

const compare = <T extends bigint | number | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1)

/** The order within one masterchain block. */
export const compareFinalized = (a: FinalizedId, b: FinalizedId): number => {
  // A head is the last event of its block, whatever the logical times of the others.
  if (a.kind === 'hd' || b.kind === 'hd') return Number(a.kind === 'hd') - Number(b.kind === 'hd')
  return compare(a.lt, b.lt) || compare(kindOrder.get(a.kind)!, kindOrder.get(b.kind)!) || compare(a.subject, b.subject)
}

/**
 * A place in the log: after an event, after all finalized events of a masterchain block, or after a speculative event, which
 * follows those of its block.
 */
export type Position = EventId | { readonly mcSeqno: number }

/** Position after all finalized events of a masterchain block: that of its head event. */
export const endOfBlock = (mcSeqno: number): Position => ({ mcSeqno })

const stageOf = (position: Position): number =>
  'journal' in position ? 2 : 'kind' in position && position.kind !== 'hd' ? 0 : 1

/** The order of the log. The head event of a block and the end of the block are the same place. */
export const comparePositions = (a: Position, b: Position): number => {
  const stages = compare(a.mcSeqno, b.mcSeqno) || compare(stageOf(a), stageOf(b))
  if (stages !== 0) return stages
  if ('journal' in a && 'journal' in b) return compare(a.journal, b.journal) || compare(a.n, b.n)
  return 'kind' in a && 'kind' in b ? compareFinalized(a, b) : 0
}

/** The place of an event by its id. */
export const positionOf = ({ id }: { readonly id: string }): Position => parseEventId(id)

/** The index of the first event after a position among the sorted events of a block. */
export const indexAfter = (events: readonly { readonly id: string }[], position: Position): number => {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comparePositions(positionOf(events[middle]!), position) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a stream begins or ends, as asked for. */
export type Since =
  | { readonly kind: 'head' }
  | { readonly kind: 'id'; readonly id: EventId }
  | { readonly kind: 'block'; readonly mcSeqno: number }
  | { readonly kind: 'time'; readonly utime: number }

const MAX_UTIME = 0xffff_ffff

const isCount = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** An event id, `{"mc_seqno": N}`, `{"utime": T}` or `"head"`. The objects may come as JSON text, as in a query or header. */
export const parseSince = (value: unknown): Since => {
  if (value === 'head') return { kind: 'head' }
  if (typeof value === 'string') {
    return value.startsWith('{') ? parseSince(parseJson(value)) : { kind: 'id', id: parseEventId(value) }
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { mc_seqno: seqno, utime, ...rest } = value as { mc_seqno?: unknown; utime?: unknown }
    if (Object.keys(rest).length === 0) {
      if (utime === undefined && isCount(seqno, MAX_SEQNO)) return { kind: 'block', mcSeqno: seqno }
      if (seqno === undefined && isCount(utime, MAX_UTIME)) return { kind: 'time', utime }
    }
  }
  throw new InvalidSinceError(value)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidSinceError(text)
  }
}
