import { classifyTrace, type OnFault } from '../classifyTrace.ts'
import { AccountFacts } from '../trace/AccountFacts.ts'
import { findDifferences, toRecordedForm } from './compareActions.ts'
import { type KnownDifference, knownDifferences } from './differences.ts'
import type { RecordedTrace } from './RecordedTrace.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON
type Json = any

export type ReferenceResult = {
  readonly equal: number
  /** Those that differ as it is known of them. */
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
    // What comes in the place of a row that is known to differ is part of that difference.
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
