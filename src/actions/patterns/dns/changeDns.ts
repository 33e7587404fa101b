import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import type { ActionFacts, Shown } from '../../rows/ActionFacts.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { dnsOps, readChangeRecord, type ShownRecord } from '../bodies/dns.ts'
import { isCall } from '../core/isCall.ts'
import { UnknownDomainError } from './UnknownDomainError.ts'

export type DnsChangeData = {
  readonly source: string | undefined
  readonly item: string | undefined
  /** Whether the domain is known as an item. */
  readonly isKnown: boolean
  readonly collection: string | undefined
  /** Hex. */
  readonly key: string
}

/** Where a domain is not known as an item, there is no row for the change, and the trace is told plainly as a whole. */
const describeChange = (
  { source, item, collection, isKnown }: DnsChangeData,
  more: Readonly<Record<string, Shown>>,
): ActionFacts => {
  if (!isKnown) throw new UnknownDomainError(item)
  const details = { ...more, source: source ?? null, asset: item ?? null, nft_collection: collection ?? null }
  return { source, destination: item, details }
}

/** A domain has a new record. */
const changeDns = blockKind<DnsChangeData & { readonly record: ShownRecord }>({
  name: 'change_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, { key: data.key, value: toShownValue(data.record) }),
})

/** A record was taken away. */
const deleteDns = blockKind<DnsChangeData>({
  name: 'delete_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, { hash: data.key }),
})

/** The owner of a domain said that it is still wanted. */
const renewDns = blockKind<DnsChangeData>({
  name: 'renew_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, {}),
})

/** A text is shown where the address of a storage is: clients know it from there. */
const toShownValue = ({ kind, value, flags }: ShownRecord): Shown => ({
  sum_type: kind,
  dns_smc_address: showIf(kind === 'DNSSmcAddress', value),
  dns_adnl_address: showIf(kind === 'DNSAdnlAddress', value),
  dns_text: null,
  dns_next_resolver_address: showIf(kind === 'DNSNextResolver', value),
  dns_storage_address: showIf(kind === 'DNSStorageAddress' || kind === 'DNSText', value),
  flags: flags ?? null,
})

const showIf = (isIt: boolean, value: string | undefined): string | null => (isIt ? (value ?? null) : null)

export const matchChangeDns: Matcher = {
  name: 'change_dns',
  isAnchor: (block) => isCall(block, dnsOps.changeRecord),
  around: { next: call(dnsOps.bounced, { optional: true, withExcesses: false }) },
  build: (match, { facts }) => {
    const { anchor } = match
    const { source, destination: item } = messageOf(anchor)
    const { key, record } = readChangeRecord(anchor)
    const known = facts.of(item).nftItem
    const data = { source, item, isKnown: known !== undefined, collection: known?.collection, key }
    const options = { failed: anchor.failed }
    if (record !== undefined) foldMatch(match, changeDns, { ...data, record }, options)
    else if (/^0*$/.test(key)) foldMatch(match, renewDns, data, options)
    else foldMatch(match, deleteDns, data, options)
  },
}
