import { unpackDetails } from '../codes/packDetails.ts'
import type { Json } from '../columns.ts'
import type { Tables } from '../tables.ts'

/** Something that happened in a trace. */
export type ActionRecord = {
  readonly traceId: Uint8Array
  /** Unique in its trace. */
  readonly actionId: Uint8Array
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly traceEndLt: bigint
  readonly traceEndUtime: number
  readonly traceEndSeqno: number
  /** The hashes of its transactions. */
  readonly transactions: readonly Uint8Array[]
  /** In whose history it is. */
  readonly accounts: readonly Uint8Array[]
  /** `undefined` where nobody can tell. */
  readonly success: boolean | undefined
  /** What it is asked for by. */
  readonly type: string
  /** What it is called, where that is not its type. */
  readonly shownType: string | undefined
  /** The types of those that it is a part of. */
  readonly ancestorTypes: readonly string[]
  /** As it is shown, in the neutral dialect: addresses raw and in upper case, amounts as text. */
  readonly details: Json
  readonly rawAction: Json | undefined
}

export const actionColumns = [
  'start_lt',
  'end_lt',
  'trace_end_lt',
  'start_utime',
  'end_utime',
  'trace_end_utime',
  'mc_seqno',
  'success',
  'type',
  'shown_type',
  'trace_id',
  'action_id',
  'transactions',
  'accounts',
  'ancestor_types',
  'details',
  'raw_action',
] as const satisfies readonly (keyof Tables['actions'])[]

export const toActionRecord = (row: Tables['actions']): ActionRecord => ({
  traceId: row.trace_id,
  actionId: row.action_id,
  startLt: row.start_lt,
  endLt: row.end_lt,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  traceEndLt: row.trace_end_lt,
  traceEndUtime: row.trace_end_utime,
  traceEndSeqno: row.mc_seqno,
  transactions: row.transactions,
  accounts: row.accounts,
  success: row.success ?? undefined,
  type: row.type,
  shownType: row.shown_type ?? undefined,
  ancestorTypes: row.ancestor_types ?? [],
  details: unpackDetails(row.details, row.accounts),
  rawAction: row.raw_action ?? undefined,
})
