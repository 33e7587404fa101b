import type { Action } from '../rows/Action.ts'
import type { TraceInput } from '../trace/TraceInput.ts'

/** Members of details that are not compared at all, and why. */
export const incomparable: Readonly<Record<string, string>> = {
  marketplace: 'Names of marketplaces come from a table of the operator of the original. The recordings omit them.',
}

/** Lists whose order says nothing, and why. */
export const unordered: Readonly<Record<string, string>> = {
  transactions: 'A set: the original uses hash-table order.',
  accounts: 'A set: the original uses hash-table order.',
  ancestor_type: 'A set: the original uses hash-table order.',
  vault_excesses: 'The original uses the order of its store, not the order of sending.',
}

/** So many digits of the index of an item are to be trusted: in the original it was a floating-point number on its way. */
const INDEX_DIGITS = 15

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON
type Json = any

/** An action as recorded files have it. */
export const toRecordedForm = (action: Action, trace: TraceInput): Json => ({
  trace_id: trace.traceId,
  action_id: action.actionId,
  start_lt: String(action.startLt),
  end_lt: String(action.endLt),
  start_utime: action.startUtime,
  end_utime: action.endUtime,
  trace_end_lt: String(trace.endLt),
  trace_end_utime: trace.endUtime,
  trace_mc_seqno_end: trace.endSeqno,
  transactions: action.transactions,
  success: action.success,
  type: action.type,
  details: action.details,
  accounts: action.accounts,
  ancestor_type: action.ancestorTypes,
  parent_action_id: action.parentActionId ?? null,
})

/** Where a value is not what is expected, as paths with both; nothing where it is. Members that are not expected are passed over. */
export const findDifferences = (expected: Json, got: Json, path = ''): string[] => {
  if (expected === null || expected === undefined) {
    return got === null || got === undefined ? [] : [`${path}: nothing expected, got ${show(got)}`]
  }
  if (Array.isArray(expected)) return compareLists(expected, got, path)
  if (typeof expected === 'object') {
    if (typeof got !== 'object' || got === null) return [`${path}: expected ${show(expected)}, got ${show(got)}`]
    return Object.keys(expected)
      .filter((name) => !Object.hasOwn(incomparable, name))
      .flatMap((name) => findDifferences(expected[name], got[name], path === '' ? name : `${path}.${name}`))
  }
  if (expected === got || isRoundedIndex(path, expected, got)) return []
  return [`${path}: expected ${show(expected)}, got ${show(got)}`]
}

const compareLists = (expected: Json[], got: Json, path: string): string[] => {
  const name = path.split('.').at(-1) ?? ''
  if (!Array.isArray(got) || got.length !== expected.length)
    return [`${path}: expected ${show(expected)}, got ${show(got)}`]
  const [left, right] = Object.hasOwn(unordered, name) ? [sorted(expected), sorted(got)] : [expected, got]
  return left.flatMap((item, index) => findDifferences(item, right[index], `${path}.${index}`))
}

const sorted = (items: Json[]): Json[] => [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

/** Indices of items were rounded to 53 bits where the recordings come from: either ends in other digits. */
const isRoundedIndex = (path: string, expected: Json, got: Json): boolean =>
  path.endsWith('index') &&
  typeof expected === 'string' &&
  typeof got === 'string' &&
  got.length > INDEX_DIGITS &&
  got.length === expected.length &&
  (Number(got) === Number(expected) || got.slice(0, INDEX_DIGITS) === expected.slice(0, INDEX_DIGITS))

const show = (value: Json): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300))
