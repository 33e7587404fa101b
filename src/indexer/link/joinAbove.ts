import type { LinkedTraces } from '../IndexBatch.ts'
import type { OpenMessage, OpenTrace, OpenTraces } from '../OpenTraces.ts'
import { absorb, type GrowingTrace } from './GrowingTrace.ts'
import { HashNumbers } from './HashNumbers.ts'
import type { TraceAssembly } from './TraceAssembly.ts'

/** What is still open of the range above, and the orphans of it that are none any more. */
export type JoinedAbove = { readonly open: OpenTraces; readonly renamed: LinkedTraces['renamed'] }

/**
 * Gives orphans of the range above to the traces whose messages they received. One look at each is enough: inside a range every
 * message has found its receiver, so no orphan has received a message of another, and who takes orphans over is not taken over.
 */
export const joinAbove = (assembly: TraceAssembly, above: OpenTraces): JoinedAbove => {
  const orphans: OpenTrace[] = []
  const parents: GrowingTrace[] = []
  const traces = above.traces.filter((trace) => {
    if (trace.orphanHash === undefined) return true
    const message = assembly.receive(trace.orphanHash, 0)
    if (message < 0) return true
    const parent = assembly.senders[message]!
    absorb(parent, trace)
    orphans.push(trace)
    parents.push(parent)
    return false
  })
  if (orphans.length === 0) return { open: above, renamed: [] }
  return {
    open: { traces, messages: renameMessages(above.messages, orphans, parents) },
    renamed: orphans.map(({ traceId }, k) => ({ from: traceId, to: parents[k]!.traceId })),
  }
}

const renameMessages = (
  messages: readonly OpenMessage[],
  orphans: readonly OpenTrace[],
  parents: readonly GrowingTrace[],
): OpenMessage[] => {
  const numbers = new HashNumbers(orphans.length)
  for (const [number, { traceId }] of orphans.entries()) numbers.set(traceId, 0, number)
  return messages.map((message) => {
    const number = numbers.find(message.traceId, 0)
    return number < 0 ? message : { ...message, traceId: parents[number]!.traceId }
  })
}
