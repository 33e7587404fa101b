import { toHex } from '../../primitives/hex.ts'
import { toldKeysOf } from '../eventKeys.ts'
import type { InvalidationEvent, StreamEvent, TraceEvent } from '../events.ts'

/** Without events that a later one of the same trace and kind, or an invalidation, replaces. */
export const withoutReplaced = (events: readonly StreamEvent[]): StreamEvent[] => {
  const replaced = new Set<string>()
  return events
    .toReversed()
    .filter((event) => isNew(event, replaced))
    .reverse()
}

/** Going backwards: notes what an event replaces, and says whether it is replaced itself. */
const isNew = (event: StreamEvent, replaced: Set<string>): boolean => {
  switch (event.kind) {
    case 'expired':
    case 'invalidated':
      return isNewInvalidation(event, replaced)
    case 'stateInvalidated':
      for (const key of toldKeysOf(event)) replaced.add(key)
      return true
    case 'st':
    case 'je':
      return !isTakenBack(event, replaced)
    case 'tx':
      // All transactions of a block are discarded together.
      return 'trace' in event ? isNewest(event, replaced) : !isTakenBack(event, replaced)
    case 'ac':
    case 'tr':
      return isNewest(event, replaced)
    case 'bl':
    case 'hd':
      return true
  }
}

const isTakenBack = (event: StreamEvent, replaced: ReadonlySet<string>): boolean =>
  toldKeysOf(event).some((key) => replaced.has(key))

const isNewest = ({ kind, trace }: TraceEvent, replaced: Set<string>): boolean => {
  const hash = toHex(trace.externalHashNorm!)
  if (replaced.has(hash) || replaced.has(`${kind} ${hash}`)) return false
  replaced.add(`${kind} ${hash}`)
  return true
}

const isNewInvalidation = ({ kind, externalHashNorm }: InvalidationEvent, replaced: Set<string>): boolean => {
  const hash = toHex(externalHashNorm)
  if (replaced.has(`${kind} ${hash}`)) return false
  replaced.add(`${kind} ${hash}`)
  // Both events of an invalidation stay; nothing of the trace before them does.
  if (kind === 'expired') replaced.add(hash)
  return true
}
