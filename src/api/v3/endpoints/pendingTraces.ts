import { bytesEqual } from '../../../primitives/bytes.ts'
import { isShown, readActionTypes } from '../actionParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { readPending } from '../hydrate/readPending.ts'
import { pendingParams, readPendingQuestion } from '../pendingParams.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { addressesOfActions } from '../views/ActionView.ts'
import { toPendingTraceView } from '../views/PendingView.ts'
import { TracesView, type TraceView } from '../views/TraceView.ts'
import { addressesOfTransactions } from '../views/TransactionView.ts'

export const pendingTraces = v3Endpoint({
  name: 'pendingTraces',
  tags: ['actions and traces'],
  summary: 'Traces that are not in the index yet, as far as they are foreseen.',
  params: pendingParams,
  result: TracesView,
  errors: ['query_too_costly'],
  async handle(context, params) {
    const { account } = params
    const types = readActionTypes(params, context.options)
    const found = await readPending(context, readPendingQuestion(params), 'traces')
    const traces = found
      .filter(
        ({ transactions }) => account === undefined || transactions.some((each) => bytesEqual(each.account, account)),
      )
      .map((trace) => ({ trace, actions: (trace.actions ?? []).filter((action) => isShown(types, action)) }))
    const beside = await hydrate(context, [
      ...traces.flatMap(({ trace }) => addressesOfTransactions(trace.transactions)),
      ...traces.flatMap(({ actions }) => addressesOfActions(actions)),
    ])
    const views: TraceView[] = []
    for (const { trace, actions } of traces) {
      views.push(await toPendingTraceView(trace, inOrder(actions), context.budget))
    }
    return { traces: views, ...beside }
  },
})

type Span = { readonly startLt: bigint; readonly endLt: bigint }

/** As in traces of the index. */
const inOrder = <T extends Span>(actions: readonly T[]): T[] =>
  [...actions].sort((a, b) => compare(a.startLt, b.startLt) || compare(a.endLt, b.endLt))

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
