/** A server could not be asked, or said no. */
export class AskError extends Error {
  /** 0 where there was no answer at all. */
  readonly status: number
  /** How long it wants to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, status: number, retryAfterMs?: number) {
    super(message)
    this.name = 'AskError'
    this.status = status
    this.retryAfterMs = retryAfterMs
  }

  get isAbsence(): boolean {
    return this.status === 404
  }
}
