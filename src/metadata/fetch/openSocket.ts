import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { MetadataUnavailableError } from '../errors.ts'
import type { FetchRules } from './FetchRules.ts'
import { hostOf, portOf } from './parseTarget.ts'

type Rules = Pick<FetchRules, 'limits' | 'ca'>

const MAX_ADDRESSES = 3

/**
 * A connection to one of the addresses, and to nothing else: no name is looked up again. What the other side calls itself
 * is checked against the URL all the same.
 */
export const openSocket = async (
  url: URL,
  addresses: readonly string[],
  rules: Rules,
  signal: AbortSignal,
): Promise<Socket> => {
  const end = performance.now() + rules.limits.connectMs
  const tried = addresses.slice(0, MAX_ADDRESSES)
  let failure: unknown
  for (const [k, address] of tried.entries()) {
    const shareMs = (end - performance.now()) / (tried.length - k)
    try {
      return await connectOnce(url, address, rules, shareMs, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  const reason = failure instanceof Error ? failure.message : String(failure)
  throw new MetadataUnavailableError(
    `No connection to ${url.host} could be made: ${reason}.`,
    { hostFailed: true },
    { cause: failure },
  )
}

const connectOnce = (url: URL, address: string, { ca }: Rules, timeoutMs: number, signal: AbortSignal) =>
  new Promise<Socket>((resolve, reject) => {
    const host = hostOf(url)
    const place = { host: address, port: portOf(url) }
    const isSecure = url.protocol === 'https:'
    const socket = isSecure
      ? connectSecure({
          ...place,
          ...(isIP(host) === 0 && { servername: host }),
          ...(ca !== undefined && { ca }),
          rejectUnauthorized: true,
          ALPNProtocols: ['http/1.1'],
        })
      : connectPlain(place)
    const settle = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      act()
    }
    const fail = (error: unknown): void =>
      settle(() => {
        socket.destroy()
        reject(error)
      })
    const abort = (): void => fail(signal.reason)
    const timer = setTimeout(() => fail(new Error('it took too long')), Math.max(1, timeoutMs))
    signal.addEventListener('abort', abort)
    // It stays on: an error that comes before anybody sends something over the connection has nobody else to go to.
    socket.on('error', fail)
    socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(() => resolve(socket)))
    if (signal.aborted) abort()
  })
