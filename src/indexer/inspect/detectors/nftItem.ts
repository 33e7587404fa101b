import { findDomainName, findDomainRecords } from '../../../contracts/dns/domainItems.ts'
import { findVouchedItem, type ItemClaim, type VouchedItem } from '../../../contracts/tokens/findToken.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import type { Detector, DetectorContext, FoundRows } from '../Detector.ts'
import { hasMethods } from '../hasMethods.ts'
import type { KnownToken } from '../KnownContracts.ts'
import { commonColumns, type Subject } from '../Subject.ts'
import { toContentJson } from '../toContentJson.ts'

/** An item, and the name that it stands for if it is in a collection of names. */
export const nftItem: Detector = {
  name: 'nft_item',
  isCandidate: hasMethods('get_nft_data'),
  async detect(context, subject) {
    const { run, vouched, stats, newer } = context
    const { key, account, codeHash, sinceLt, lastLt } = subject
    const row = newer.items.get(key)
    if (row !== undefined) return { nft_items: { ...row, since_lt: sinceLt } }
    const before = vouched.findWithCode('nftItem', key, codeHash)
    const item = await findVouchedItem(run, subject.contract.address, (claim) => {
      const isSame = isSameClaim(before, claim)
      if (isSame) stats.vouchedBefore++
      return isSame
    })
    if (item === undefined) return undefined
    const collection = item.collection && addressKeyOf(item.collection)
    vouched.add({ kind: 'nftItem', account, codeHash, lastLt, index: item.index, collection })
    const domain = await findDomain(context, subject, item)
    const content = toContentJson(item.content)
    return {
      nft_items: {
        ...commonColumns(subject),
        init: item.initialized,
        index: item.index,
        collection_address: collection,
        owner_address: item.owner && addressKeyOf(item.owner),
        content: domain === undefined ? content : { ...content, domain: domain.domain },
      },
      ...(domain === undefined ? {} : { dns_entries: domain }),
    }
  },
}

const isSameClaim = (before: KnownToken | undefined, { collection, index }: ItemClaim): boolean =>
  before?.kind === 'nftItem' &&
  before.index === index &&
  before.collection !== undefined &&
  bytesEqual(before.collection, addressKeyOf(collection))

const findDomain = async (
  { run, dnsZones }: DetectorContext,
  { contract: { address }, account, lastLt }: Subject,
  { collection, owner }: VouchedItem,
): Promise<FoundRows['dns_entries']> => {
  if (collection === undefined) return undefined
  const domain = await findDomainName(run, address, collection, dnsZones)
  const records = domain === undefined ? undefined : await findDomainRecords(run, address)
  if (domain === undefined || records === undefined) return undefined
  const { nextResolver, wallet, siteAdnl, storageBagId } = records
  return {
    last_lt: lastLt,
    domain,
    nft_item_address: account,
    nft_item_owner: owner && addressKeyOf(owner),
    dns_next_resolver: nextResolver && addressKeyOf(nextResolver),
    dns_wallet: wallet && addressKeyOf(wallet),
    dns_site_adnl: siteAdnl,
    dns_storage_bag_id: storageBagId,
  }
}
