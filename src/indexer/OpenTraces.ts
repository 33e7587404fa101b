/** Numbers of a trace that grow as its transactions come. */
export type TraceNumbers = {
  readonly startLt: bigint
  readonly endLt: bigint
  readonly startSeqno: number
  readonly endSeqno: number
  readonly startUtime: number
  readonly endUtime: number
  readonly transactions: number
  /** Edges: what came in from outside, messages between transactions, and those that left the chain. */
  readonly messages: number
}

export type Trace = TraceNumbers & {
  /** Hash of its first transaction; of the first that is known where the trace is an orphan. */
  readonly traceId: Uint8Array
}

/** A trace with messages under way, or one whose beginning is in a block that is not indexed yet, or never will be. */
export type OpenTrace = Trace & {
  readonly pending: number
  /** The message that the first known transaction received from one that is not known. */
  readonly orphanHash: Uint8Array | undefined
}

/** A message under way, with its row in unreceived_messages by key. */
export type OpenMessage = {
  readonly hash: Uint8Array
  readonly traceId: Uint8Array
  readonly account: Uint8Array
  readonly createdLt: bigint
  readonly seqno: number
}

/** All that is not finished at the upper end of a covered range, or begins unknown in it. */
export type OpenTraces = { readonly traces: readonly OpenTrace[]; readonly messages: readonly OpenMessage[] }
