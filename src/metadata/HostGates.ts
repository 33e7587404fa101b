import { backoffMs } from '../primitives/scheduling.ts'

type Host = {
  active: number
  /** Failures of the host itself, in a row. */
  failures: number
  /** Until when it is left alone. */
  restsUntil: number
  /** When those that had to wait so far will have been served. */
  promisedUntil: number
  /** Of one request, on the average of late. */
  averageMs: number
}

export type Admission =
  | { readonly kind: 'go' }
  /** It would be one too many at a time, or the host has trouble. */
  | { readonly kind: 'later'; readonly delayMs: number }
  /** The host has had trouble for so long that trying this one would tell nothing new. */
  | { readonly kind: 'down' }

/** To a host that did not ask for us; an own gateway bears more. */
const PER_HOST = 4
const PER_TRUSTED_HOST = 16
const MAX_HOSTS = 10_000
const MIN_DELAY_MS = 100
const MAX_DELAY_MS = 86_400_000
/** What a request takes, as long as nothing better is known, and the least that is reckoned with: 20 in a second are enough. */
const USUAL_MS = 200
/** So many failures may happen to anybody. */
const TOLERATED_FAILURES = 2
const REST = { firstMs: 5000, maxMs: 300_000 }
/** At this many a host has been resting for about five minutes in all. */
const DOWN_FAILURES = 9

/**
 * Keeps us polite: few requests to one host at a time, none for a while to one that has trouble. Those that are too many are not
 * kept here but sent away for as long as it will take to serve those before them, so that one host with many tokens does not hold
 * up the others, and each has to come back about once.
 */
export class HostGates {
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
    // One is enough to see whether a host is well again.
    const room = host.failures > TOLERATED_FAILURES ? 1 : atOnce
    if (host.active >= room) return this.#sendAway(host, now + host.averageMs, atOnce)
    host.active++
    return { kind: 'go' }
  }

  /** Tells how a request went that was let through. */
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

  /** Names cost nothing to make up. */
  #forgetIdle(): void {
    for (const [name, { active }] of this.#hosts) if (active === 0) this.#hosts.delete(name)
  }
}

export type LeaveReport = {
  readonly tookMs: number
  readonly hostFailed: boolean
  readonly retryAfterMs?: number | undefined
}
