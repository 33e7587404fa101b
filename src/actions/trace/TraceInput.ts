import type { Cell } from '../../codec/cell/Cell.ts'

/** A message as patterns see it. Hashes are base64 and addresses raw in upper case, as they are shown in the end. */
export type TraceMessage = {
  readonly hash: string
  /** `undefined` for one from outside. */
  readonly source: string | undefined
  /** `undefined` for one to the outside. */
  readonly destination: string | undefined
  readonly value: bigint | undefined
  /** Amounts as text by the numbers of their currencies. */
  readonly extraCurrencies: Readonly<Record<string, string>>
  readonly createdLt: bigint | undefined
  readonly createdAt: number | undefined
  /** The first 32 bits of the body, unsigned; `undefined` where it is shorter. */
  readonly opcode: number | undefined
  readonly bounce: boolean
  readonly body: Cell
  readonly initState: Cell | undefined
}

export type TraceTransaction = {
  readonly hash: string
  readonly account: string
  readonly lt: bigint
  readonly now: number
  readonly origStatus: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly endStatus: 'uninit' | 'frozen' | 'active' | 'nonexist'
  readonly isTickTock: boolean
  readonly aborted: boolean
  /** `undefined` where no code ran. */
  readonly exitCode: number | undefined
  /** Why no code ran, where that is known. */
  readonly skipReason: 'no_state' | 'bad_state' | 'no_gas' | 'suspended' | undefined
  readonly inMessage: TraceMessage | undefined
  /** In the order in which they were sent. */
  readonly outMessages: readonly TraceMessage[]
}

/** A finished trace. */
export type TraceInput = {
  readonly traceId: string
  readonly externalHash: string | undefined
  /** Only where it differs. */
  readonly externalHashNorm: string | undefined
  readonly endLt: bigint
  readonly endUtime: number
  readonly endSeqno: number
  /** By logical time. */
  readonly transactions: readonly TraceTransaction[]
}
