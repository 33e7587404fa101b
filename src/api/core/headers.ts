import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** CORS headers: pages of any origin may read responses. */
export const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } as const

/** Response to a CORS preflight. The wildcard allows custom headers of clients. */
export const preflightHeaders = {
  ...corsHeaders,
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, X-API-Key, X-Ton-Client-Version, *',
  'access-control-max-age': '86400',
} as const

/** By it an answer is found in the logs of whoever asked, and of everyone on the way. */
export const requestIdHeader = 'x-request-id'

const sane = /^[\w.:/+=@-]{1,128}$/

// Of its own in every process, so that no two of them give out the same id.
const own = `${randomBytes(6).toString('hex')}-`
let made = 0

/** What the request calls itself, if that can be repeated anywhere without harm, or else a new name for it. */
export const requestIdOf = (request: Pick<IncomingMessage, 'rawHeaders'>): string => {
  const given = findHeader(request, requestIdHeader)
  return given !== undefined && sane.test(given) ? given : `${own}${(++made).toString(36)}`
}

/** The first header of a name. Not of `headers`, which is made when it is first looked at and takes longer than all else of a cached answer. */
export const findHeader = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string | undefined => {
  for (let k = 0; k < rawHeaders.length; k += 2) {
    const each = rawHeaders[k]!
    if (each.length === name.length && each.toLowerCase() === name) return rawHeaders[k + 1]
  }
  return undefined
}
