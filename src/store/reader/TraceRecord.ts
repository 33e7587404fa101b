import type { TraceSpan } from '../longTraces.ts'
import type { Tables } from '../tables.ts'
import type { KeyValue, Order, OrderColumn } from './page.ts'
import { toInt4, toInt8 } from './timeWindow.ts'

/** A finished trace. */
export type TraceRecord = TraceSpan & {
  /** The hash of its first transaction. */
  readonly traceId: Uint8Array
  readonly transactions: number
  readonly messages: number
}

export const traceColumns = [
  'start_lt',
  'end_lt',
  'mc_seqno_start',
  'mc_seqno',
  'start_utime',
  'end_utime',
  'transactions',
  'messages',
  'trace_id',
] as const satisfies readonly (keyof Tables['traces'])[]

export const toTraceRecord = (row: Tables['traces']): TraceRecord => ({
  traceId: row.trace_id,
  startLt: row.start_lt,
  endLt: row.end_lt,
  startUtime: row.start_utime,
  endUtime: row.end_utime,
  startSeqno: row.mc_seqno_start,
  endSeqno: row.mc_seqno,
  transactions: row.transactions,
  messages: row.messages,
})

/** When traces end, both ends included, and in which order they are wanted: by time where a window of times is given. */
export type TraceWindow = {
  readonly startUtime: number | undefined
  readonly endUtime: number | undefined
  readonly startLt: bigint | undefined
  readonly endLt: bigint | undefined
  readonly direction: 'asc' | 'desc'
}

export const isByTime = ({ startUtime, endUtime }: TraceWindow): boolean =>
  startUtime !== undefined || endUtime !== undefined

export const traceOrder = (window: TraceWindow): Order => {
  const column = (name: string): OrderColumn => ({ column: name, direction: window.direction })
  return isByTime(window)
    ? { name: `traces by time ${window.direction}`, columns: [column('end_utime'), column('trace_id')] }
    : { name: `traces by lt ${window.direction}`, columns: [column('end_lt'), column('trace_id')] }
}

/** Its place in the order. */
export const traceKey = (window: TraceWindow, { endLt, endUtime, traceId }: TraceRecord): readonly KeyValue[] => [
  isByTime(window) ? endUtime : endLt,
  traceId,
]

type Bound = { readonly column: 'lt' | 'utime'; readonly operator: '>=' | '<='; readonly value: bigint | number }

/** What a window says of the ends of traces. */
export const windowBounds = ({ startUtime, endUtime, startLt, endLt }: TraceWindow): Bound[] => [
  ...(startUtime === undefined ? [] : [{ column: 'utime', operator: '>=', value: toInt4(startUtime) } as const]),
  ...(endUtime === undefined ? [] : [{ column: 'utime', operator: '<=', value: toInt4(endUtime) } as const]),
  ...(startLt === undefined ? [] : [{ column: 'lt', operator: '>=', value: toInt8(startLt) } as const]),
  ...(endLt === undefined ? [] : [{ column: 'lt', operator: '<=', value: toInt8(endLt) } as const]),
]
