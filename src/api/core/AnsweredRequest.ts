import type { Call } from './Call.ts'

/** A request that an interface has answered, well or not, for whoever counts them. */
export type AnsweredRequest = {
  /** Of the interface. */
  readonly prefix: string
  /** `undefined` where the request named none that there is; of a batch it is that of the last call. */
  readonly endpoint: string | undefined
  readonly transport: Call['transport']
  readonly status: number
  /** From when the request was whole until its answer was handed to the connection. */
  readonly durationMs: number
  /** The answer had been made before. */
  readonly isKept: boolean
  /** The API key that it came with, by the name under which operators know it. */
  readonly key: string | undefined
}

/** Called for every answer, so it must not take long, and not throw. */
export type OnAnswered = (answered: AnsweredRequest) => void

/** A call that has come to its answer. */
export const toAnswered = (prefix: string, call: Call, status: number): AnsweredRequest => ({
  prefix,
  endpoint: call.endpoint,
  transport: call.transport,
  status,
  durationMs: performance.now() - call.receivedAt,
  isKept: call.trace.isKept,
  key: call.trace.key,
})
