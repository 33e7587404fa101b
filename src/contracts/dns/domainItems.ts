import { Dict } from '../../codec/cell/Dict.ts'
import { type DnsEntry, listDnsEntries } from '../../codec/content/dns.ts'
import { decodeUtf8, readSnake } from '../../codec/content/text.ts'
import { contentDictType } from '../../codec/content/tokenContent.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import {
  bytesArgument,
  findReadable,
  intArgument,
  type MethodResult,
  ResultReader,
  type RunMethod,
  UnexpectedResultError,
} from '../getMethods.ts'
import { decodeDomain } from './resolveDomain.ts'

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

/** The name that an NFT item stands for. */
export type ItemDomain = {
  /** Its own label, without the zone that its collection keeps; absent where the item does not tell. */
  readonly label: string | undefined
  readonly entries: readonly DnsEntry[]
}

/** The byte that stands for the resolver's own name. */
const self = new Uint8Array(1)

const LABEL_LIMITS = { maxCells: 2, maxBytes: 127 }

/** The domain of an item, if it is one: it resolves its own name to a dictionary of records. */
export const findItemDomain = async (run: RunMethod, item: Address): Promise<ItemDomain | undefined> => {
  const result = await run(item, 'dnsresolve', [bytesArgument(self), intArgument(0n)])
  if (result.stack.length !== 2) return undefined
  const entries = findReadable(() => {
    const r = new ResultReader(result)
    r.readInt()
    return listDnsEntries(new Dict(contentDictType, r.readCell()))
  })
  return entries === undefined ? undefined : { label: await findItemLabel(run, item), entries }
}

const findItemLabel = async (run: RunMethod, item: Address): Promise<string | undefined> => {
  const result = await run(item, 'get_domain', [])
  return findReadable(() => decodeUtf8(readSnake(new ResultReader(result).readContent(), LABEL_LIMITS)))
}

/** The byte that stands for the resolver's own name, and how many bits of it a resolver knows that has that name. */
const SELF_BITS = 8n

/** The records of a name by category. */
export type DomainRecords = {
  readonly nextResolver: Address | undefined
  readonly wallet: Address | undefined
  readonly siteAdnl: Uint8Array | undefined
  readonly storageBagId: Uint8Array | undefined
}

/** The records of a domain item. A domain may have none; an item that does not resolve itself is not a domain. */
export const findDomainRecords = async (run: RunMethod, item: Address): Promise<DomainRecords | undefined> => {
  const result = await run(item, 'dnsresolve', [bytesArgument(self), intArgument(0n)])
  return findReadable(() => toRecords(readEntries(result)))
}

const readEntries = (result: MethodResult): readonly DnsEntry[] => {
  const r = new ResultReader(result)
  const bits = r.readInt()
  if (bits !== SELF_BITS) throw new UnexpectedResultError(`A name resolves ${SELF_BITS} bits of itself, not ${bits}.`)
  const records = r.readMaybeCell()
  return records === undefined ? [] : listDnsEntries(new Dict(contentDictType, records))
}

const toRecords = (entries: readonly DnsEntry[]): DomainRecords => {
  const find = (name: string): DnsEntry['value'] | undefined => entries.find((entry) => entry.name === name)?.value
  const [resolver, wallet, site, storage] = ['dns_next_resolver', 'wallet', 'site', 'storage'].map(find)
  return {
    nextResolver: resolver?.kind === 'nextResolver' ? findStandardAddress(resolver.resolver) : undefined,
    wallet: wallet?.kind === 'smcAddress' ? findStandardAddress(wallet.address) : undefined,
    siteAdnl: site?.kind === 'adnlAddress' ? site.adnl.slice() : undefined,
    storageBagId: storage?.kind === 'storageAddress' ? storage.bagId.slice() : undefined,
  }
}
