import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ForbiddenError } from './errors.ts'

// Behind a proxy on this machine every caller looks local. These headers reveal a proxy; one that sends none is not detected, so
// operator endpoints are served this way in private mode only: see src/cli/operations/operatorAccess.ts.
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** The error if a request does not come directly from a program on this machine. `allowedHosts` are further names of the machine. */
export const findRemoteCaller = (
  remoteAddress: string | undefined,
  headers: IncomingHttpHeaders,
  allowedHosts: readonly string[] = [],
): ForbiddenError | undefined => {
  if (remoteAddress === undefined || !isLoopback(remoteAddress.replace(/^::ffff:/, ''))) {
    return new ForbiddenError('Only programs on the same machine have access.')
  }
  if (proxyHeaders.some((name) => headers[name] !== undefined)) {
    return new ForbiddenError('Only programs on the same machine have access, and not through a proxy.')
  }
  // DNS rebinding: a page may resolve its own name to this machine and so be same-origin; the Host header reveals it.
  const host = parseHost(headers.host)
  if (host === undefined || !(isLoopbackName(host) || allowedHosts.includes(host))) {
    return new ForbiddenError('Access needs a Host header that names this machine, such as localhost.')
  }
  return undefined
}

/** The error if a request to the operations listener has an unknown Host header. */
export const findUnknownHost = (
  { host: header }: IncomingHttpHeaders,
  allowedHosts: readonly string[],
): ForbiddenError | undefined => {
  const host = parseHost(header)
  const isKnown = host !== undefined && (isLoopbackName(host) || isIP(host) !== 0 || allowedHosts.includes(host))
  return isKnown
    ? undefined
    : new ForbiddenError('The Host must be an IP address, localhost, or one of --allowed-host.')
}

/** The error if a page of another origin sent the request. Programs other than browsers send no origin. */
export const findForeignOrigin = ({
  origin,
  host,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): ForbiddenError | undefined => {
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const own = parseHost(host) === undefined ? undefined : findUrl(`http://${host}`)?.host
  const isForeignOrigin = origin !== undefined && (own === undefined || findUrl(origin)?.host !== own)
  return isForeignSite || isForeignOrigin ? new ForbiddenError('Pages of other origins have no access.') : undefined
}

/** Whether an address or host name is loopback. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The host of a URL for programs on this machine, by the address at which a server listens. */
export const formatHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

const isLoopbackName = (host: string): boolean => isLoopback(host) || host.endsWith('.localhost')

// A name or an address with an optional port; no user name, path or blank.
const hostForm = /^(?:\[([0-9a-f:.]{2,45})\]|([0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?))(?::[0-9]{1,5})?$/i

/** The host of a Host header, in lower case and without the port; `undefined` if it is malformed. */
const parseHost = (header: string | undefined): string | undefined => {
  const [, v6, name] = hostForm.exec(header ?? '') ?? []
  if (v6 !== undefined) return isIP(v6) === 6 ? v6.toLowerCase() : undefined
  return name?.toLowerCase()
}

const findUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
