import { CodedError } from '../primitives/errors.ts'
import { type Matcher, runMatchers } from './match/Matcher.ts'
import { ghostMatchers, matchers, mergers } from './patterns/index.ts'
import type { Action } from './rows/Action.ts'
import { listActions, unknownAction } from './rows/listActions.ts'
import type { AccountFacts } from './trace/AccountFacts.ts'
import type { TraceInput } from './trace/TraceInput.ts'
import { addGhosts } from './tree/addGhosts.ts'
import type { Block } from './tree/Block.ts'
import { buildTree } from './tree/buildTree.ts'

export type Classified = {
  readonly actions: readonly Action[]
  /** It could not be classified as a whole: these are the plain facts only. */
  readonly hasFailed: boolean
}

/** Told of a match that was dropped, and of a trace that failed (without a matcher). */
export type OnFault = (matcher: Matcher | undefined, error: unknown) => void

/** Classifies a trace into actions. */
export const classifyTrace = (
  trace: TraceInput,
  facts: AccountFacts,
  onFault: OnFault = () => undefined,
): Classified => {
  if (isLoneTickTock(trace)) return { actions: [], hasFailed: false }
  try {
    const root = buildTree(trace)
    const actions = readTree(root, matchers, facts, onFault)
    if (actions.length > 0) return { actions, hasFailed: false }
    const ghosts = addGhosts(root) ? readTree(root, ghostMatchers, facts, onFault) : []
    return { actions: ghosts.length > 0 ? ghosts : [unknownAction(trace)], hasFailed: false }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    onFault(undefined, error)
    return { actions: classifyPlainly(trace), hasFailed: true }
  }
}

/** The same without any knowledge of contracts: transfers, calls and deployments. */
export const classifyPlainly = (trace: TraceInput): readonly Action[] => {
  if (isLoneTickTock(trace)) return []
  const actions = listActions(buildTree(trace))
  return actions.length > 0 ? actions : [unknownAction(trace)]
}

const readTree = (root: Block, patterns: readonly Matcher[], facts: AccountFacts, onFault: OnFault): Action[] => {
  runMatchers(root, patterns, { facts }, onFault)
  for (const merge of mergers) merge(root)
  return listActions(root)
}

const isLoneTickTock = ({ transactions }: TraceInput): boolean =>
  transactions.length === 1 && transactions[0]!.isTickTock && transactions[0]!.outMessages.length === 0
