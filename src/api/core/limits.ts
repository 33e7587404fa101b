import type { JsonLimits } from './json/parseJson.ts'

/** Limits of requests and connections. */
export type HttpLimits = JsonLimits & {
  readonly maxBodyBytes: number
  readonly maxUrlBytes: number
  /** All headers together. */
  readonly maxHeaderBytes: number
  /** Time to receive the headers of a request. */
  readonly headersTimeoutMs: number
  /** Time to receive a whole request with its body. */
  readonly requestTimeoutMs: number
  /** Time to compute a response, unless the endpoint has its own limit. */
  readonly callTimeoutMs: number
  /** Longest pause while a client reads a response. */
  readonly sendTimeoutMs: number
  /** Between two requests on a connection. */
  readonly keepAliveTimeoutMs: number
  /** Time to finish requests in flight when the server closes. */
  readonly closeTimeoutMs: number
}

export const defaultLimits: HttpLimits = {
  maxBodyBytes: 1 << 20,
  maxUrlBytes: 8192,
  maxHeaderBytes: 1 << 16,
  maxDepth: 128,
  maxValues: 100_000,
  maxDigits: 1000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  callTimeoutMs: 10_000,
  sendTimeoutMs: 30_000,
  keepAliveTimeoutMs: 60_000,
  closeTimeoutMs: 5_000,
}
