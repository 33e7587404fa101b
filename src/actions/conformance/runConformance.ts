import { classifyTrace } from '../classifyTrace.ts'
import { AccountFacts } from '../trace/AccountFacts.ts'
import { findDifferences, toRecordedForm } from './compareActions.ts'
import type { RecordedTrace } from './RecordedTrace.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON
type Json = any

/** A recorded trace, and the actions that have to come out of it. */
export type ConformanceCase = {
  readonly id: string
  readonly name?: string
  readonly trace_file: string
  readonly expected_actions?: readonly Json[]
}

export type ConformanceResult = {
  /** One for each case that differs. */
  readonly lines: readonly string[]
  readonly passed: number
  readonly failed: number
}

/** Classifies the traces of recorded cases, and holds the actions that are expected against those that come out. */
export const runConformance = (
  cases: readonly ConformanceCase[],
  readTrace: (file: string) => RecordedTrace,
): ConformanceResult => {
  const lines: string[] = []
  for (const each of cases) {
    const differences = checkCase(each, readTrace)
    if (differences.length > 0) lines.push(`${each.id} (${each.name ?? each.trace_file}): ${differences.join('; ')}`)
  }
  return { lines, passed: cases.length - lines.length, failed: lines.length }
}

const checkCase = (
  { trace_file: file, expected_actions: expected = [] }: ConformanceCase,
  readTrace: (file: string) => RecordedTrace,
): string[] => {
  if (expected.length === 0) return ['it expects no actions']
  const { trace, accounts } = readTrace(file)
  try {
    const { actions } = classifyTrace(trace, new AccountFacts(accounts))
    const got = actions.map((action) => toRecordedForm(action, trace))
    return expected.flatMap((action) => checkAction(action, got))
  } catch (error) {
    return [`it cannot be classified: ${error instanceof Error ? error.message : String(error)}`]
  }
}

const checkAction = (expected: Json, got: readonly Json[]): string[] => {
  const { alternatives = [], columns: _columns, ...plain } = expected
  const own = got.find((action) => action.action_id === plain.action_id)
  if (own === undefined) {
    const types = got.map(({ type }) => type).join(', ')
    return [`expected ${plain.type} ${plain.action_id}, got none with that id among ${types}`]
  }
  const differences = findDifferences(plain, own)
  if (differences.length === 0) return []
  const isOther = alternatives.some(
    (other: Json) => findDifferences({ ...plain, ...(other.details && { details: other.details }) }, own).length === 0,
  )
  return isOther ? [] : [`${plain.type}: ${differences.join(', ')}`]
}
