import { Resolver } from 'node:dns/promises'

/** The addresses of a host. It is asked once for each hop, and only what it said is connected to. */
type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

export type FetchLimits = {
  /** Until there is a connection, a secure one where it must be. */
  readonly connectMs: number
  /** For everything: names, connections, redirects and the body. */
  readonly totalMs: number
  /** Of a body, both as it is sent and as it is when unpacked. */
  readonly maxBytes: number
  readonly maxRedirects: number
}

// Others take bodies of 10 MiB. The longest that real tokens have are pictures inside of JSON, far below this; and parsing holds
// up everything else that this process does, here for a few milliseconds.
export const fetchLimits: FetchLimits = {
  connectMs: 10_000,
  totalMs: 30_000,
  maxBytes: 1024 * 1024,
  maxRedirects: 3,
}

/** Where we go, and how far. */
export type FetchRules = {
  readonly allowHttp: boolean
  /** Where ipfs:// is looked up. It is the choice of whoever runs this, so it may be anywhere, on this machine, too. */
  readonly ipfsGateway: URL | undefined
  readonly isAllowedAddress: (address: string) => boolean
  readonly resolve: Resolve
  readonly limits: FetchLimits
  readonly userAgent: string
  /** Certificates to trust instead of those that Node knows. */
  readonly ca?: string | undefined
}

const QUERY_MS = 2500
const TRIES = 2

/**
 * Asks name servers itself. The usual way, through the system, takes a thread of a few that reading files needs, too, for as long
 * as it lasts; and it knows names of this machine and its neighbours, which are none of a token's business. Without `servers`,
 * those of the system are asked.
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
