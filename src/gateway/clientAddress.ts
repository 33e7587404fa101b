import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Finds the client address of a request. */
export type FindAddress = (remoteAddress: string, headers: IncomingHttpHeaders) => string

/** A CIDR subnet (10.0.0.0/8, fd00::/8), or a single address. */
export type Subnet = { readonly address: string; readonly bits: number }

/** Maximum number of X-Forwarded-For entries to check. */
const MAX_HOPS = 32

/**
 * Without trusted proxies, the client is the remote address of the socket: X-Forwarded-For may be forged. With trusted proxies, the
 * client is the last entry of X-Forwarded-For that is not a trusted proxy.
 */
export const createFindAddress = (trusted: readonly Subnet[]): FindAddress => {
  if (trusted.length === 0) return (remoteAddress) => toPlain(remoteAddress)
  const isTrusted = createIsTrusted(trusted)
  return (remoteAddress, headers) => {
    let address = toPlain(remoteAddress)
    const hops = hopsOf(headers)
    for (let at = hops.length - 1; at >= 0 && isTrusted(address); at--) {
      const before = toPlain(withoutPort(hops[at]!.trim()))
      // A malformed entry ends the chain: the last valid address is the client.
      if (!isAddress(before)) break
      address = before
    }
    return address
  }
}

/** Whether an address, as a socket has it, is one of a trusted proxy. */
export const createIsTrusted = (trusted: readonly Subnet[]): ((address: string) => boolean) => {
  const proxies = new BlockList()
  for (const { address, bits } of trusted) proxies.addSubnet(address, bits, familyOf(address))
  return (text) => {
    const address = toPlain(text)
    return isAddress(address) && proxies.check(address, familyOf(address))
  }
}

/** Addresses with a zone are valid on one machine only, and may have any length. */
const isAddress = (text: string): boolean => isIP(text) !== 0 && !text.includes('%')

const hopsOf = ({ 'x-forwarded-for': header }: IncomingHttpHeaders): readonly string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-MAX_HOPS)

/** Some proxies append the port: 1.2.3.4:567, [::1]:567. */
const withoutPort = (text: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$|^\[(.*)\](?::\d+)?$/.exec(text)?.slice(1).find(Boolean) ?? text

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4')

/** IPv4-mapped IPv6 addresses become plain IPv4. */
const toPlain = (address: string): string =>
  address.startsWith('::ffff:') ? (/^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address) : address

/** The rate limit key of a client. An IPv6 client has a whole /64 subnet, so that is counted as one. */
export const nameCaller = (address: string): string => (address.includes(':') ? networkOf(address) : address)

const networkOf = (address: string): string => {
  const [front = '', back] = address.replace(/%.*$/, '').split('::')
  const first = front === '' ? [] : front.split(':')
  const last = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::`
}
