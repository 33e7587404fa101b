import { Resolver } from 'node:dns/promises'

/** Resolves a host. Called once per hop; only the returned addresses are connected to (no DNS rebinding). */
type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export type FetchLimits = {
  /** Connect timeout, TLS included. */
  readonly connectMs: number
  /** Total timeout: DNS, connections, redirects and body. */
  readonly totalMs: number
  /** Maximum body size, compressed and decompressed. */
  readonly maxBytes: number
  readonly maxRedirects: number
}

// The longest real documents have inline images and are far smaller; parsing blocks the event loop, here for a few milliseconds.
export const fetchLimits: FetchLimits = {
  connectMs: 10_000,
  totalMs: 30_000,
  maxBytes: 1024 * 1024,
  maxRedirects: 3,
}

/** Rules and limits of fetches. */
export type FetchRules = {
  readonly allowHttp: boolean
  /** Gateway for ipfs:// URLs. Configured by the operator, so it may have a private address. */
  readonly ipfsGateway: URL | undefined
  readonly isAllowedAddress: (address: string) => boolean
  readonly resolve: Resolve
  readonly limits: FetchLimits
  readonly userAgent: string
  /** Trusted CA certificates instead of the default ones. */
  readonly ca?: string | undefined
}

const QUERY_MS = 2500
const TRIES = 2

/**
 * Resolves names by DNS queries. getaddrinfo would block a thread of the small libuv pool, and it also resolves local names, which tokens
 * must not reach. Without `servers`, the system DNS servers are used.
 */
export const createResolve = (servers?: readonly string[]): Resolve => {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0 || v4.status === 'fulfilled') return found
    throw v4.reason
  }
}
