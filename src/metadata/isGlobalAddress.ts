import { isIPv4, isIPv6 } from 'node:net'

/** The 4 or 16 bytes of an address; `undefined` if malformed, or with a zone, which means a local network. */
export const parseIp = (text: string): Uint8Array | undefined => {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = spellLastGroups(text).split('::')
  const first = groups(head)
  const last = groups(tail ?? '')
  const zeros = Array<number>(8 - first.length - last.length).fill(0)
  return Uint8Array.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]))
}

/** A dotted IPv4 suffix stands for two groups. */
const spellLastGroups = (text: string): string =>
  text.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  })

const groups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

// IANA special-purpose address registries. Small global blocks within special ones (anycast services, relays) are refused, too.
const refusedV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // this machine
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

// Only these ranges are allocated globally, so mapped IPv4, NAT64, link-local, unique local and multicast need no rows.
const givenOutV6 = '2000::/3'

const refusedV6 = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarks, AMT, AS112 …
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which leads to any IPv4
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // returned (6bone)
  '3fff::/20', // documentation
]

type Range = { readonly first: Uint8Array; readonly bits: number }

const parseRange = (text: string): Range => {
  const [first = '', bits] = text.split('/')
  return { first: parseIp(first)!, bits: Number(bits) }
}

const contains = ({ first, bits }: Range, bytes: Uint8Array): boolean => {
  const whole = bits >> 3
  for (let k = 0; k < whole; k++) if (first[k] !== bytes[k]) return false
  const rest = bits & 7
  return rest === 0 || (first[whole]! ^ bytes[whole]!) >> (8 - rest) === 0
}

const v4Ranges = refusedV4.map(parseRange)
const v6Ranges = refusedV6.map(parseRange)
const givenOut = parseRange(givenOutV6)

/** Whether a text is a public IP address: not private, local, special or reserved. */
export const isGlobalAddress = (text: string): boolean => {
  const bytes = parseIp(text)
  if (bytes === undefined) return false
  if (bytes.length === 4) return !v4Ranges.some((range) => contains(range, bytes))
  return contains(givenOut, bytes) && !v6Ranges.some((range) => contains(range, bytes))
}
