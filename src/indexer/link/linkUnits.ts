import type { LinkedTraces } from '../IndexBatch.ts'
import type { OpenTrace, OpenTraces, Trace } from '../OpenTraces.ts'
import { collectSent } from './collectSent.ts'
import { type Awaited, findAwaited } from './findAwaited.ts'
import type { GrowingTrace } from './GrowingTrace.ts'
import { joinAbove } from './joinAbove.ts'
import type { LinkableUnit } from './LinkableUnit.ts'
import { TraceAssembly } from './TraceAssembly.ts'

export type LinkInput = {
  /** Of the range that ends right below the units; nothing where there is none. */
  readonly below: OpenTraces
  /** Consecutive, the lowest first. */
  readonly units: readonly LinkableUnit[]
  /** Of the range that begins right above the units, where there is one. */
  readonly above: OpenTraces | undefined
  /** Nothing is below the units, or the range that they go on: the chain begins there, so a message that nobody sent was sent by nobody. */
  readonly isFromFirst?: boolean
}

export const NOTHING_OPEN: OpenTraces = { traces: [], messages: [] }

/**
 * Assembles traces out of transactions. The trace ids are written into the rows of the transactions, and of the messages that
 * nobody received; those of other messages keep their zeros. What stays open unchanged is handed on as the same object.
 */
export const linkUnits = ({ below, units, above = NOTHING_OPEN, isFromFirst = false }: LinkInput): LinkedTraces => {
  const awaited = findAwaited(below, units, above.traces)
  const sentCount = units.reduce((sum, { messages }) => sum + messages.count, 0)
  const assembly = new TraceAssembly(awaited, sentCount, { mayHaveOrphans: !isFromFirst })
  for (const unit of units) assembly.addUnit(unit)
  const joined = joinAbove(assembly, above)
  const adopted = isFromFirst ? adoptOrphans(joined.open.traces) : { grown: [], left: joined.open.traces }
  let number = awaited.messages.length
  const sent = units.map((unit) => {
    const collected = collectSent(assembly, unit, number)
    number += unit.messages.count
    return collected
  })
  const arrived = awaited.messages.filter((_, message) => assembly.isReceived(message))
  const gone = new Set(arrived)
  const { unchanged, changed } = sortOut(below.traces, awaited)
  const { finished, touched } = divide([...changed, ...assembly.begun, ...adopted.grown])
  return {
    finished,
    touched,
    arrived,
    renamed: joined.renamed,
    unreceived: sent.map(({ unreceived }) => unreceived),
    open: {
      traces: [...unchanged, ...touched, ...adopted.left],
      messages: [
        ...below.messages.filter((message) => !gone.has(message)),
        ...sent.flatMap(({ underWay }) => underWay),
        ...joined.open.messages,
      ],
    },
  }
}

type Adopted = { readonly grown: readonly OpenTrace[]; readonly left: readonly OpenTrace[] }

/** Orphans whose senders are in no block: they begin with the message that they received. */
const adoptOrphans = (traces: readonly OpenTrace[]): Adopted => {
  const orphans = traces.filter(({ orphanHash }) => orphanHash !== undefined)
  return {
    grown: orphans.map((trace) => ({ ...trace, orphanHash: undefined, messages: trace.messages + 1 })),
    left: orphans.length === 0 ? traces : traces.filter(({ orphanHash }) => orphanHash === undefined),
  }
}

type SortedOut = { readonly unchanged: readonly OpenTrace[]; readonly changed: readonly GrowingTrace[] }

/** Every change of a trace brings a transaction to it. */
const sortOut = (traces: readonly OpenTrace[], { growing }: Awaited): SortedOut => {
  const changed: GrowingTrace[] = []
  const unchanged = traces.filter((trace) => {
    const grown = growing.get(trace)
    if (grown === undefined || grown.transactions === trace.transactions) return true
    changed.push(grown)
    return false
  })
  return { unchanged, changed }
}

const divide = (
  traces: readonly OpenTrace[],
): { readonly finished: readonly Trace[]; readonly touched: readonly OpenTrace[] } => {
  const finished: Trace[] = []
  const touched: OpenTrace[] = []
  for (const trace of traces) {
    if (trace.pending === 0 && trace.orphanHash === undefined) finished.push(trace)
    else touched.push(trace)
  }
  return { finished, touched }
}
