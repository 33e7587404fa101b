import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * A front: the process that has the public port where several networks are served there, and forwards requests to the process of each
 * network. That process listens on loopback, and answers to its front only.
 */
export type FrontLink = {
  /** A secret of the two processes. */
  readonly token: string
  /** Where the front serves this network, without a trailing slash. */
  readonly url: string
}

/** What a front tells of a request. */
export type Forwarded = {
  /** Address of the client's socket. */
  readonly caller: string
  /** The path below which the client sees this service: empty, or `/` and a name. */
  readonly base: string
  /** It came by the operations listener. */
  readonly isOperator: boolean
}

export const frontHeader = 'x-chaincenter-front'

const ABSENT = '-'

export const formatForwarded = (token: string, { caller, base, isOperator }: Forwarded): string =>
  [token, isOperator ? 'operator' : 'public', caller || ABSENT, base || ABSENT].join(' ')

const known = new WeakMap<IncomingMessage, Forwarded>()

/**
 * Reads what the front tells of a request. From then on its socket has the address of the client, so that the service treats the client
 * as if it had connected itself. False for a request that did not come from the front.
 */
export const acceptForwarded = (request: IncomingMessage, token: string): boolean => {
  const [given = '', kind, caller, base] = String(request.headers[frontHeader] ?? '').split(' ')
  if (!isSame(given, token) || caller === undefined || base === undefined) return false
  const forwarded = { caller: present(caller), base: present(base), isOperator: kind === 'operator' }
  known.set(request, forwarded)
  delete request.headers[frontHeader]
  // A connection of the front has one request at a time.
  Object.defineProperty(request.socket, 'remoteAddress', { value: forwarded.caller, configurable: true })
  return true
}

const present = (text: string): string => (text === ABSENT ? '' : text)

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'))

const direct = { base: '', isOperator: false } as const

/** What is known of a request by its front; without one, the service is at the root. */
export const forwardedOf = (request: IncomingMessage): Pick<Forwarded, 'base' | 'isOperator'> =>
  known.get(request) ?? direct
