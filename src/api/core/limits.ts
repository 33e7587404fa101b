import type { JsonLimits } from './json/parseJson.ts'

/** How much one caller may ask for. */
export type HttpLimits = JsonLimits & {
  readonly maxBodyBytes: number
  readonly maxUrlBytes: number
  /** All headers together. */
  readonly maxHeaderBytes: number
  /** For the headers of a request to come. */
  readonly headersTimeoutMs: number
  /** For a whole request to come, its body included. */
  readonly requestTimeoutMs: number
  /** For an answer to be made, where its endpoint does not say otherwise. */
  readonly callTimeoutMs: number
  /** For a caller to go on taking an answer. */
  readonly sendTimeoutMs: number
  /** Between two requests on a connection. */
  readonly keepAliveTimeoutMs: number
  /** For answers under way to be finished when the server closes. */
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
