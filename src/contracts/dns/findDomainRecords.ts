import { Dict } from '../../codec/cell/Dict.ts'
import { type DnsEntry, listDnsEntries } from '../../codec/content/dns.ts'
import { contentDictType } from '../../codec/content/tokenContent.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import type { Address } from '../../primitives/Address.ts'
import { bytesArgument, intArgument } from '../methods/arguments.ts'
import { findReadable, UnexpectedResultError } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

/** The byte that stands for the resolver's own name, and how many bits of it a resolver knows that has that name. */
const self = new Uint8Array(1)
const SELF_BITS = 8n

/** What a name leads to, by category. */
export type DomainRecords = {
  readonly nextResolver: Address | undefined
  readonly wallet: Address | undefined
  readonly siteAdnl: Uint8Array | undefined
  readonly storageBagId: Uint8Array | undefined
}

/** The records of the name that an item is. A name may have none; what does not resolve itself is no name. */
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
