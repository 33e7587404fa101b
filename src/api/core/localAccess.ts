import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { ForbiddenError } from './errors.ts'

// A proxy on this machine makes everyone look local. These headers give one away; one that is silent is not seen here, so what only an
// operator may ask is served this way in private mode alone: see src/cli/operations/operatorAccess.ts.
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** What shows that a request was not sent here directly by a program on this machine. `allowedHosts` are other names of the machine. */
export const findRemoteSign = (
  remoteAddress: string | undefined,
  headers: IncomingHttpHeaders,
  allowedHosts: readonly string[] = [],
): ForbiddenError | undefined => {
  if (remoteAddress === undefined || !isLoopback(remoteAddress.replace(/^::ffff:/, ''))) {
    return new ForbiddenError('This is served only to programs on the same machine.')
  }
  if (proxyHeaders.some((name) => headers[name] !== undefined)) {
    return new ForbiddenError('This is served only to programs on the same machine, and not through a proxy.')
  }
  // A page may have its own name resolved to this machine, and so be of the same origin; the name gives it away.
  const host = parseHost(headers.host)
  if (host === undefined || !(isLoopbackName(host) || allowedHosts.includes(host))) {
    return new ForbiddenError('This is served only under a name of the machine itself, such as localhost.')
  }
  return undefined
}

/** What shows that a request to the operations listener came under a name that is not the listener's. */
export const findStrangeHost = (
  { host: header }: IncomingHttpHeaders,
  allowedHosts: readonly string[],
): ForbiddenError | undefined => {
  const host = parseHost(header)
  const isKnown = host !== undefined && (isLoopbackName(host) || isIP(host) !== 0 || allowedHosts.includes(host))
  return isKnown
    ? undefined
    : new ForbiddenError('The Host must be an IP address, localhost, or one of --allowed-host.')
}

/** What shows that a page of another origin sent a request. Programs that are no browsers say nothing of origins. */
export const findForeignSign = ({
  origin,
  host,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): ForbiddenError | undefined => {
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const own = parseHost(host) === undefined ? undefined : findUrl(`http://${host}`)?.host
  const isForeignOrigin = origin !== undefined && (own === undefined || findUrl(origin)?.host !== own)
  return isForeignSite || isForeignOrigin ? new ForbiddenError('Pages of other origins may not call this.') : undefined
}

/** Whether an address, or a name to listen at, is of this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

const isLoopbackName = (host: string): boolean => isLoopback(host) || host.endsWith('.localhost')

// A name or an address and perhaps a port, and nothing else: no user name, no path, no blank.
const hostForm = /^(?:\[([0-9a-f:.]{2,45})\]|([0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?))(?::[0-9]{1,5})?$/i

/** The host that a request names, in lower case and without its port; `undefined` where it names none. */
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
