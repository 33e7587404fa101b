/** The addresses of a host. It is asked once for each hop, and only what it said is connected to. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

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
