import { readSnake } from '../../codec/content/text.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { RunMethod } from '../methods/RunMethod.ts'
import { decodeDomain } from './domainName.ts'

/** A collection whose items are names: each tells its own label, or the whole name in the form that resolvers use. */
type DnsZone = { readonly zone: string; readonly method: 'get_domain' } | { readonly method: 'get_full_domain' }

/** Zones by the raw addresses of their collections. */
export type DnsZones = ReadonlyMap<string, DnsZone>

/** The zones of the networks that are known. A network of one's own has those of the main network. */
export const dnsZones = {
  main: new Map<string, DnsZone>([
    ['0:b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf', { zone: 'ton', method: 'get_domain' }],
    ['0:80d78a35f955a14b679faa887ff4cd5bfc0f43b4a4eea2a7e6927f3701b273c2', { method: 'get_full_domain' }],
  ]),
  test: new Map<string, DnsZone>([
    ['0:e33ed33a42eb2032059f97d90c706f8400bb256d32139ca707f1564ad699c7dd', { zone: 'ton', method: 'get_domain' }],
  ]),
} as const

const allZones: DnsZones = new Map([...dnsZones.main, ...dnsZones.test])

const NAME_LIMITS = { maxCells: 2, maxBytes: 127 }

/** The whole name of an item of a collection that is known to keep names: `alice.ton`, `bob.t.me`. */
export const findDomainName = async (
  run: RunMethod,
  item: Address,
  collection: Address,
  zones: DnsZones = allZones,
): Promise<string | undefined> => {
  const zone = zones.get(formatRawAddress(collection))
  if (zone === undefined) return undefined
  const result = await run(item, zone.method, [])
  const bytes = findReadable(() => readSnake(new ResultReader(result).readContent(), NAME_LIMITS))
  const name = bytes === undefined ? undefined : decodeDomain(bytes)
  if (name === undefined || name === '') return undefined
  return zone.method === 'get_domain' ? `${name}.${zone.zone}` : name
}
