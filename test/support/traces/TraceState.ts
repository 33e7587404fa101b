export type PlainTrace = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startSeqno: number
  readonly endSeqno: number
  readonly startUtime: number
  readonly endUtime: number
  readonly transactions: number
  readonly messages: number
}

export type PlainOpenTrace = PlainTrace & { readonly pending: number; readonly orphan: string | undefined }

/** Everything about the traces of a range that is kept, by hashes in hex. */
export type TraceState = {
  /** By trace id. */
  readonly finished: Record<string, PlainTrace>
  readonly open: Record<string, PlainOpenTrace>
  /** The trace id of each transaction. */
  readonly transactions: Record<string, string>
  /** Messages that nobody received, by sender, lt and seqno. */
  readonly unreceived: Record<string, { readonly hash: string; readonly traceId: string }>
  /** The trace id of each message under way. */
  readonly underWay: Record<string, string>
}
