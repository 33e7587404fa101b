import { classifyTrace, type OnFault } from '../../src/actions/classifyTrace.ts'
import { findDifferences, toRecordedForm } from '../../src/actions/conformance/compareActions.ts'
import type { RecordedTrace } from '../../src/actions/conformance/RecordedTrace.ts'
import { AccountFacts } from '../../src/actions/trace/AccountFacts.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON
type Json = any

/** A row of the reference that comes out differently here, and why that is right. */
export type KnownDifference = {
  /** As cases name it: traces that were altered share their ids with the traces that they were made of. */
  readonly traceFile: string
  /** base64 */
  readonly actionId: string
  readonly type: string
  readonly reason: string
}

/**
 * All differences from the rows that the original made of the recorded traces. A comparison fails on a row that is different
 * and not here, and on one that is here and not different any more.
 */
export const knownDifferences: readonly KnownDifference[] = [
  {
    traceFile: 'traces/5209b29a8c349a91834ae354282d581e4776f28eea71e56f62da2467ef83fb71-nobody.json.gz',
    actionId: '/Yg2IQk+sP8C4Vxyfm3mhKDyThBTW+lgjP4TuhjBbwM=',
    type: 'ton_transfer',
    reason:
      'The message body was removed from this trace, so the request to the wallet is unknown. The reference row is that of the ' +
      'complete trace, which has the same id.',
  },
]

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
