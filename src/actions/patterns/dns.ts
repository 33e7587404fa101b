import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readDnsText } from '../../codec/content/dns.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { call, foldMatch, kindOf, type Matcher } from '../match/Matcher.ts'
import { orNull } from '../rows/Action.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks } from '../tree/Block.ts'
import { escapeText } from '../tree/buildTree.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { callContract, isCall } from './core.ts'
import { isDnsItem, nftOps } from './nfts.ts'

/** Opcodes of domains (TEP-81) and of .ton domains. */
const dnsOps = { changeRecord: 0x4eb1f0f9, releaseBalance: 0x4ed14b65, bounced: 0xffffffff } as const

/** A record in the form of the action. Its value is text. */
type ShownRecord = {
  readonly kind: 'DNSNextResolver' | 'DNSAdnlAddress' | 'DNSSmcAddress' | 'DNSStorageAddress' | 'DNSText' | 'Unknown'
  readonly value: string | undefined
  readonly flags: number | undefined
}

export type ChangeRecordBody = {
  /** Hex. */
  readonly key: string
  /** `undefined` if the record is deleted. */
  readonly record: ShownRecord | undefined
}

const readChangeRecord = (block: Block): ChangeRecordBody => {
  const r = openBody(block)
  r.skipBits(64)
  const key = toHex(r.readBytes(32))
  return { key, record: r.remainingRefs > 0 ? readRecord(openCell(r.readRefCell())) : undefined }
}

/** Anyone can write anything here: bits after a known tag are ignored, and so are flags. */
const readRecord = (r: CellReader): ShownRecord => {
  switch (r.readUint(16)) {
    case 0xba93:
      return { kind: 'DNSNextResolver', value: readAddress(r), flags: undefined }
    case 0xad01:
      return { kind: 'DNSAdnlAddress', value: toHex(r.readBytes(32)), flags: r.readUint(8) }
    case 0x9fd3:
      return { kind: 'DNSSmcAddress', value: readAddress(r), flags: r.readUint(8) }
    case 0x7473:
      return { kind: 'DNSStorageAddress', value: toHex(r.readBytes(32)), flags: undefined }
    case 0x1eda:
      return { kind: 'DNSText', value: escapeText(readDnsText(r)), flags: undefined }
    default:
      return { kind: 'Unknown', value: undefined, flags: undefined }
  }
}

/** The query id; some bodies omit it. */
const findQueryId = (block: Block): bigint | undefined => {
  const r = openBody(block)
  return r.remainingBits >= 64 ? r.readUint64() : undefined
}

/** An unknown domain was changed. */
class UnknownDomainError extends CodedError {
  readonly code = 'unknown_domain'
  constructor(item: string | undefined) {
    super(`A record of ${item ?? 'a domain'} was changed, which is not known as an item.`)
  }
}

export type DnsChangeData = Addresses<'source' | 'item' | 'collection'> & {
  /** Whether the domain is known as an item. */
  readonly isKnown: boolean
  /** Hex. */
  readonly key: string
}

/** The domain is not a known item: the change gets no action, and the trace is classified without patterns. */
const describeChange = <More extends object>({ source, item, collection, isKnown }: DnsChangeData, more: More) => {
  if (!isKnown) throw new UnknownDomainError(item)
  const details = { ...more, source: source ?? null, asset: item ?? null, nft_collection: collection ?? null }
  return { source, destination: item, details }
}

/** A record of a domain was set. */
const changeDns = blockKind<DnsChangeData & { readonly record: ShownRecord }>({
  name: 'change_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, { key: data.key, value: toShownValue(data.record) }),
})

/** A record was deleted. */
const deleteDns = blockKind<DnsChangeData>({
  name: 'delete_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, { hash: data.key }),
})

/** The owner renewed a domain. */
const renewDns = blockKind<DnsChangeData>({
  name: 'renew_dns',
  isClosed: true,
  describe: ({ data }) => describeChange(data, {}),
})

/** A text is shown in the field of the storage address, where clients expect it. */
const toShownValue = ({ kind, value, flags }: ShownRecord) => ({
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

export type DnsPurchaseData = Addresses<'collection' | 'newOwner'> & {
  readonly item: string
  readonly index: bigint
  readonly price: bigint
  readonly queryId: bigint | undefined
}

/** A domain auction ended: the payment goes to the collection. */
const dnsPurchase = blockKind<DnsPurchaseData>({
  name: 'dns_purchase',
  describe: ({ data: { item, collection, index, newOwner, price, queryId } }) => ({
    destination: newOwner,
    details: {
      nft_collection: collection ?? null,
      nft_item: item,
      new_owner: newOwner ?? null,
      nft_item_index: String(index),
      price: String(price),
      query_id: orNull(queryId),
      payout_amount: String(price),
    },
  }),
})

export const matchDnsPurchase: Matcher = {
  name: 'dns_purchase',
  isAnchor: (block, { facts }) => isCall(block, nftOps.fillUp) && isDnsItem(facts.of(messageOf(block).source).nftItem),
  around: { previous: kindOf(callContract) },
  build: ({ anchor, others }, { facts }) => {
    const { source, value = 0n } = messageOf(anchor)
    const item = expectPresent(source, 'domain')
    const { collection, index } = expectPresent(facts.of(item).nftItem, 'domain')
    // The first user of a domain after its auction is its owner.
    const { source: newOwner } = messageOf(expectPresent(others[0], 'call of the owner'))
    const data = { item, collection, index, newOwner, price: value, queryId: findQueryId(anchor) }
    foldBlocks(dnsPurchase, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}

export type DnsReleaseData = Addresses<'source' | 'item' | 'collection'> & {
  readonly queryId: bigint | undefined
  readonly index: bigint
  readonly value: bigint
}

/** A domain that expired was put up for auction again. */
const dnsRelease = blockKind<DnsReleaseData>({
  name: 'dns_release',
  describe: ({ data: { queryId, source, item, collection, index, value } }) => ({
    source,
    destination: item,
    details: {
      query_id: orNull(queryId),
      source: source ?? null,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      nft_item_index: String(index),
      value: String(value),
    },
  }),
})

export const matchDnsRelease: Matcher = {
  name: 'dns_release',
  isAnchor: (block, { facts }) =>
    isCall(block, dnsOps.releaseBalance) && isDnsItem(facts.of(messageOf(block).destination).nftItem),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination: item, value = 0n } = messageOf(anchor)
    const { collection, index } = expectPresent(facts.of(item).nftItem, 'domain')
    const data = { queryId: findQueryId(anchor), source, item, collection, index, value }
    foldBlocks(dnsRelease, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}
