import { classifyTrace, type OnFault } from '../classifyTrace.ts'
import { AccountFacts } from '../trace/AccountFacts.ts'
import { findDifferences, type KnownDifference, knownDifferences, toRecordedForm } from './compareActions.ts'
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

export type ReferenceResult = {
  readonly equal: number
  /** Rows that differ in a known way. */
  readonly known: readonly KnownDifference[]
  /** One for each row that differs, is missing or comes out in vain, and for what should differ and does not. */
  readonly lines: readonly string[]
}

/** Everything that the original made of recorded traces against everything that comes out of them here. */
export const compareReference = (
  reference: Readonly<Record<string, Json>>,
  files: Iterable<string>,
  readTrace: (file: string) => RecordedTrace,
  onFault?: (file: string) => OnFault,
): ReferenceResult => {
  let equal = 0
  const known: KnownDifference[] = []
  const lines: string[] = []
  const all = new Set(files)
  for (const file of all) {
    const { trace, accounts } = readTrace(file)
    const { actions } = classifyTrace(trace, new AccountFacts(accounts), onFault?.(file))
    const got = new Map(actions.map((action) => [action.actionId, toRecordedForm(action, trace)]))
    const expected: readonly Json[] = reference[trace.traceId]?.actions ?? []
    const explained = knownDifferences.filter(({ traceFile }) => traceFile === file)
    for (const row of expected) {
      const found = compareRow(row, got.get(row.action_id))
      got.delete(row.action_id)
      const difference = explained.find(({ actionId }) => actionId === row.action_id)
      if (found.length === 0) equal++
      else if (difference !== undefined) known.push(difference)
      else lines.push(`${file}: ${row.type} ${row.action_id}: ${found.join(' | ')}`)
    }
    // A row that replaces a known difference is part of that difference.
    if (explained.length > 0) continue
    for (const own of got.values()) lines.push(`${file}: ${own.type} ${own.action_id}: not expected`)
  }
  for (const each of knownDifferences) {
    if (!all.has(each.traceFile) || known.includes(each)) continue
    lines.push(`${each.traceFile}: ${each.type} ${each.actionId}: known to differ, and does not any more`)
  }
  return { equal, known, lines }
}

const compareRow = (row: Json, own: Json): string[] => {
  if (own === undefined) return ['missing']
  const { visible_in: _v, trace_external_hash: _h, trace_external_hash_norm: _n, ...plain } = row
  return findDifferences(plain, own)
}
