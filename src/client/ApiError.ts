/** What went wrong, for programs. */
export type ApiErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'unavailable'
  | 'unreachable'
  | 'timeout'
  | 'bad_answer'

export type ApiFailure = {
  readonly endpoint: string
  readonly code: ApiErrorCode
  readonly message: string
  /** 0 where nobody answered. */
  readonly status?: number
  readonly retryAfter?: number | undefined
  readonly answer?: unknown
  readonly cause?: unknown
}

/** A call did not come to a result: the server refused it, or could not be asked. */
export class ApiError extends Error {
  /** As in the path: `getMasterchainInfo`, `jetton/wallets`. */
  readonly endpoint: string
  /** Of HTTP; 0 where nobody answered. */
  readonly status: number
  readonly code: ApiErrorCode
  /** After how many seconds the server says that another try makes sense. */
  readonly retryAfter: number | undefined
  /** What the server answered, where it answered JSON. */
  readonly answer: unknown

  constructor({ endpoint, code, message, status = 0, retryAfter, answer, cause }: ApiFailure) {
    super(message, { cause })
    this.name = 'ApiError'
    this.endpoint = endpoint
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.answer = answer
  }
}

/** What a status means, in the words of {@link ApiErrorCode}. */
export const codeOfStatus = (status: number): ApiErrorCode => {
  const named = codes.get(status)
  if (named !== undefined) return named
  return status >= 500 ? 'server_error' : 'bad_request'
}

const codes: ReadonlyMap<number, ApiErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
])
