/** How far a trace reaches. */
export type TraceSpan = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startUtime: number
  readonly endUtime: number
  readonly startSeqno: number
  readonly endSeqno: number
}

/**
 * What a trace may take before it is a long one. Whoever looks for the traces of an account in the order in which they end goes through its
 * transactions, and has to look this much further than where a page ends. The long ones, a few of a hundred, are kept by account.
 * Rows are there that were made with these numbers: others take a migration.
 */
export const LONG_TRACE = {
  // About two minutes of the main network.
  lt: 50_000_000n,
  utime: 120,
  seqnos: 1000,
} as const

export const isLongTrace = ({ startLt, endLt, startUtime, endUtime, startSeqno, endSeqno }: TraceSpan): boolean =>
  endLt - startLt > LONG_TRACE.lt ||
  endUtime - startUtime > LONG_TRACE.utime ||
  endSeqno - startSeqno > LONG_TRACE.seqnos
