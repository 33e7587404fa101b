import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Tells whose request it is that came from the other end of a socket. */
export type FindAddress = (remoteAddress: string, headers: IncomingHttpHeaders) => string

/** A network of addresses: 10.0.0.0/8, fd00::/8, or one address. */
export type Subnet = { readonly address: string; readonly bits: number }

/** No proxy adds more than a few. */
const MAX_HOPS = 32

/**
 * Without proxies that are trusted, a request is of whoever sent it: what it says of others may be made up. A trusted proxy is believed
 * what it has added at the end of X-Forwarded-For, and so is the one before it if that is trusted, too.
 */
export const createFindAddress = (trusted: readonly Subnet[]): FindAddress => {
  if (trusted.length === 0) return (remoteAddress) => toPlain(remoteAddress)
  const proxies = new BlockList()
  for (const { address, bits } of trusted) proxies.addSubnet(address, bits, familyOf(address))
  const isTrusted = (address: string): boolean => isAddress(address) && proxies.check(address, familyOf(address))
  return (remoteAddress, headers) => {
    let address = toPlain(remoteAddress)
    const hops = hopsOf(headers)
    for (let at = hops.length - 1; at >= 0 && isTrusted(address); at--) {
      const before = toPlain(withoutPort(hops[at]!.trim()))
      // A proxy that does not know whom it speaks for has nothing to say.
      if (!isAddress(before)) break
      address = before
    }
    return address
  }
}

/** With a zone it is good on one machine only, and may be of any length. */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

const hopsOf = ({ 'x-forwarded-for': header }: IncomingHttpHeaders): readonly string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-MAX_HOPS)

/** Some proxies add the port: 1.2.3.4:567, [::1]:567. */
const withoutPort = (text: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[(.*)\](?::\d+)?$/.exec(text)?.slice(1).find(Boolean) ?? text

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/** An address of version 4 has one form, whatever kind of socket it came by. */
const toPlain = (address: string): string =>
  address.startsWith('::ffff:') ? (/^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address) : address

/** Under what a caller is counted. Whoever has an address of version 6 has a whole network of them. */
export const nameCaller = (address: string): string => (address.includes(':') ? networkOf(address) : address)

const networkOf = (address: string): string => {
  const [front = '', back] = address.replace(/%.*$/, '').split('::')
  const first = front === '' ? [] : front.split(':')
  const last = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::`
}
