import type { OpenTrace } from '../OpenTraces.ts'

/** A trace while transactions come to it. Once they have, it is handed on as it is: as an open one, or a finished one. */
export type GrowingTrace = { -readonly [Name in keyof OpenTrace]: OpenTrace[Name] }

export const addTransaction = (trace: GrowingTrace, lt: bigint, seqno: number, now: number): void => {
  trace.transactions++
  growUpTo(trace, lt, seqno, now)
}

/** Takes over an orphan, whose first transaction received a message of this trace. */
export const absorb = (trace: GrowingTrace, orphan: OpenTrace): void => {
  trace.transactions += orphan.transactions
  trace.messages += orphan.messages + 1
  trace.pending += orphan.pending - 1
  growUpTo(trace, orphan.endLt, orphan.endSeqno, orphan.endUtime)
}

const growUpTo = (trace: GrowingTrace, lt: bigint, seqno: number, utime: number): void => {
  if (lt > trace.endLt) trace.endLt = lt
  if (seqno > trace.endSeqno) trace.endSeqno = seqno
  if (utime > trace.endUtime) trace.endUtime = utime
}
