import type { IncomingHttpHeaders } from 'node:http'
import { ForbiddenError } from './errors.ts'

const loopbackAddress = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/
const loopbackName = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
// A proxy on this machine makes everyone look local. What it says of its caller may be made up; that it speaks tells enough.
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** What shows that a request was not sent here directly by a program on this machine. */
export const findRemoteSign = (
  remoteAddress: string | undefined,
  headers: IncomingHttpHeaders,
): ForbiddenError | undefined => {
  if (remoteAddress === undefined || !loopbackAddress.test(remoteAddress)) {
    return new ForbiddenError('This is served only to programs on the same machine.')
  }
  if (proxyHeaders.some((name) => headers[name] !== undefined)) {
    return new ForbiddenError('This is served only to programs on the same machine, and not through a proxy.')
  }
  // A page may have its own name resolved to this machine, and so be of the same origin; the name gives it away.
  const name = findUrl(`http://${headers.host}`)?.hostname
  if (name === undefined || !loopbackName.test(name)) {
    return new ForbiddenError('This is served only under a name of the machine itself, such as localhost.')
  }
  return undefined
}

/** What shows that a page of another origin sent a request. Programs that are no browsers say nothing of origins. */
export const findForeignSign = ({
  origin,
  host,
  'sec-fetch-site': site,
}: IncomingHttpHeaders): ForbiddenError | undefined => {
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  const isForeignOrigin = origin !== undefined && findUrl(origin)?.host !== findUrl(`http://${host}`)?.host
  return isForeignSite || isForeignOrigin ? new ForbiddenError('Pages of other origins may not call this.') : undefined
}

const findUrl = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
