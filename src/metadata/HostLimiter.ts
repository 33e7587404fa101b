import { backoffMs } from '../primitives/scheduling.ts'

type Host = {
  active: number
  /** Consecutive failures of the host. */
  failures: number
  /** Paused until. */
  restsUntil: number
  /** When the queued requests will be done. */
  promisedUntil: number
  /** Recent average duration of a request. */
  averageMs: number
}

export type Admission =
  | { readonly kind: 'go' }
  /** Too many concurrent requests, or the host is paused. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The host has been failing for so long that another attempt is useless. */
  | { readonly kind: 'down' }

/** Concurrent requests per host; more for the configured gateway. */
const PER_HOST = 4
const PER_TRUSTED_HOST = 16
const MAX_HOSTS = 10_000
const MIN_DELAY_MS = 100
const MAX_DELAY_MS = 86_400_000
/** Assumed and minimum duration of a request: at most 20 per second. */
const USUAL_MS = 200
/** Failures before a host is paused. */
const TOLERATED_FAILURES = 2
const REST = { firstMs: 5000, maxMs: 300_000 }
/** After this many failures, a host has been paused for about five minutes in total. */
const DOWN_FAILURES = 9

/**
 * Limits concurrency per host, and pauses hosts that fail. Excess requests are not queued here but deferred for the time that earlier
 * ones will take, so that a host with many tokens does not block the others.
 */
export class HostLimiter {
  readonly #hosts = new Map<string, Host>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  admit(name: string, isTrusted = false): Admission {
    const host = this.#find(name)
    const now = this.#now()
    const atOnce = isTrusted ? PER_TRUSTED_HOST : PER_HOST
    if (host.restsUntil > now) {
      return host.failures >= DOWN_FAILURES ? { kind: 'down' } : this.#sendAway(host, host.restsUntil, atOnce)
    }
    // A single request probes a host that has failed.
    const room = host.failures > TOLERATED_FAILURES ? 1 : atOnce
    if (host.active >= room) return this.#sendAway(host, now + host.averageMs, atOnce)
    host.active++
    return { kind: 'go' }
  }

  /** Reports the outcome of an admitted request. */
  leave(name: string, { tookMs, hostFailed, retryAfterMs = 0 }: LeaveReport): void {
    const host = this.#find(name)
    host.active--
    host.averageMs = 0.8 * host.averageMs + 0.2 * tookMs
    host.failures = hostFailed ? host.failures + 1 : 0
    const excess = host.failures - TOLERATED_FAILURES
    const restMs = Math.max(retryAfterMs, excess > 0 ? backoffMs(REST, excess) : 0)
    if (restMs > 0) host.restsUntil = Math.max(host.restsUntil, this.#now() + restMs)
  }

  #sendAway(host: Host, earliest: number, atOnce: number): Admission {
    const now = this.#now()
    const at = Math.min(Math.max(host.promisedUntil, earliest), now + MAX_DELAY_MS)
    host.promisedUntil = at + Math.max(USUAL_MS, host.averageMs) / atOnce
    return { kind: 'later', delayMs: Math.max(MIN_DELAY_MS, Math.ceil(at - now)) }
  }

  #find(name: string): Host {
    let host = this.#hosts.get(name)
    if (host === undefined) {
      if (this.#hosts.size >= MAX_HOSTS) this.#forgetIdle()
      host = { active: 0, failures: 0, restsUntil: 0, promisedUntil: 0, averageMs: USUAL_MS }
      this.#hosts.set(name, host)
    }
    return host
  }

  /** Limits the number of hosts in memory: anyone can make up host names. */
  #forgetIdle(): void {
    for (const [name, { active }] of this.#hosts) if (active === 0) this.#hosts.delete(name)
  }
}

export type LeaveReport = {
  readonly tookMs: number
  readonly hostFailed: boolean
  readonly retryAfterMs?: number | undefined
}
