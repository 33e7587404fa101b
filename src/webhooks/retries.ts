import type { Outcome } from '../store/webhooks/deliveries.ts'
import { type Attempt, isSuccess } from './callOut.ts'

export type RetryRules = {
  /** Delays after failed attempts. */
  readonly scheduleMs: readonly number[]
  /** Failed attempts in a row after which an endpoint is failing. */
  readonly failingAfter: number
  /** Delay between attempts of a failing endpoint. */
  readonly probeMs: number
  /** An endpoint without success for this long is disabled. */
  readonly disableAfterMs: number
  /** Lifetime of events that are not final. */
  readonly speculativeMs: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const defaultSchedule: readonly number[] = [
  ...[5000, MINUTE, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR],
]

export const retryRules: RetryRules = {
  scheduleMs: defaultSchedule,
  failingAfter: 20,
  probeMs: MINUTE,
  disableAfterMs: 120 * HOUR,
  speculativeMs: MINUTE,
}

/** A delivery that was attempted. */
type Tried = {
  /** Attempts before this one, since it was queued. */
  readonly tries: number
  readonly isSpeculative: boolean
  readonly createdAt: number
  readonly startedAt: number
  readonly now: number
}

const JITTER = 0.2

/** Delivered, tried again later, or dead. */
export const decideOutcome = (
  attempt: Attempt,
  { tries, isSpeculative, createdAt, startedAt, now }: Tried,
  { scheduleMs, speculativeMs }: RetryRules,
  random: () => number = Math.random,
): Outcome => {
  const { status } = attempt
  const isRedirect = status !== undefined && status >= 300 && status < 400
  const record = {
    at: new Date(startedAt).toISOString(),
    status: status ?? null,
    duration_ms: attempt.durationMs,
    error: attempt.error ?? (isRedirect ? 'redirects are not followed' : null),
  }
  const end = (state: Outcome['state'], next?: number): Outcome => ({
    state,
    nextAttemptAt: next === undefined ? undefined : new Date(next),
    attempt: record,
    at: new Date(now),
  })
  if (isSuccess(attempt)) return end('delivered')
  if (status === 410) return end('waiting', now)
  const delayMs = scheduleMs[tries]
  if (delayMs === undefined) return end(isSpeculative ? 'dropped' : 'dead')
  const wantedMs = status === 429 || status === 503 ? (attempt.retryAfterMs ?? 0) : 0
  const next = now + Math.max(wantedMs, Math.round(delayMs * (1 - JITTER + 2 * JITTER * random())))
  return isSpeculative && next > createdAt + speculativeMs ? end('dropped') : end('waiting', next)
}
