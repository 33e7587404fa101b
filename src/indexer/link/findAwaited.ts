import { MESSAGE_KIND } from '../DecodedUnit.ts'
import type { OpenMessage, OpenTrace, OpenTraces } from '../OpenTraces.ts'
import { BrokenOpenTracesError } from './BrokenOpenTracesError.ts'
import type { GrowingTrace } from './GrowingTrace.ts'
import { HASH_BYTES, HashNumbers } from './HashNumbers.ts'
import { HashSieve } from './HashSieve.ts'
import type { LinkableUnit } from './LinkableUnit.ts'

/** Messages under way that may have been received, each with its trace. */
export type Awaited = {
  readonly messages: readonly OpenMessage[]
  /** By message. */
  readonly senders: readonly GrowingTrace[]
  readonly growing: ReadonlyMap<OpenTrace, GrowingTrace>
}

/** Of the messages under way, those that these units, or orphans, may have received. All that were received are among them. */
export const findAwaited = (
  open: OpenTraces,
  units: readonly LinkableUnit[],
  orphans: readonly OpenTrace[],
): Awaited => {
  const sieve = new HashSieve()
  for (const { transactions } of units) {
    const { count, inKinds, inHashes } = transactions
    for (let i = 0; i < count; i++) if (inKinds[i] === MESSAGE_KIND.internal) sieve.add(inHashes, i * HASH_BYTES)
  }
  for (const { orphanHash } of orphans) if (orphanHash !== undefined) sieve.add(orphanHash, 0)
  const messages = open.messages.filter(({ hash }) => sieve.mayHave(hash))
  const growing = new Map<OpenTrace, GrowingTrace>()
  const senders = findTraces(open.traces, messages).map((trace) => {
    const known = growing.get(trace)
    if (known !== undefined) return known
    const started = { ...trace }
    growing.set(trace, started)
    return started
  })
  return { messages, senders, growing }
}

/** The trace of each message. */
const findTraces = (open: readonly OpenTrace[], messages: readonly OpenMessage[]): OpenTrace[] => {
  const sieve = new HashSieve()
  for (const { traceId } of messages) sieve.add(traceId, 0)
  const traces = messages.length === 0 ? [] : open.filter(({ traceId }) => sieve.mayHave(traceId))
  const numbers = new HashNumbers(traces.length)
  for (const [number, { traceId }] of traces.entries()) numbers.set(traceId, 0, number)
  return messages.map((message) => {
    const trace = traces[numbers.find(message.traceId, 0)]
    if (trace === undefined) throw new BrokenOpenTracesError(message)
    return trace
  })
}
