import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type DnsRecord, writeDnsRecord } from '../../codec/content/dns.ts'
import { encodeUtf8 } from '../../codec/content/text.ts'
import { hashName } from '../../codec/content/tokenContent.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { type Address, parseAddress } from '../../primitives/Address.ts'
import { compiledCode, contractAddress, contractInit } from './contractInit.ts'
import { onChainContent, startBody, writeAddress } from './messages.ts'

const CHANGE_RECORD = 0x4eb1f0f9

/**
 * Where the zone ".ton" is on the main network. Services know names by the address of their collection, so here it has the
 * same; no contract can be deployed there, it has to be there from the start.
 */
export const dnsCollectionAddress: Address = parseAddress(
  '0:b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf',
)

export const dnsCollectionInit = (): StateInit => {
  const content = onChainContent({ name: 'DNS domains', description: 'Names in the zone .ton of this network.' })
  const data = new CellWriter().writeRef(content).writeRef(compiledCode('dnsItem')).toCell()
  return contractInit(compiledCode('dnsCollection'), data)
}

export const dnsRootInit = (): StateInit =>
  contractInit(compiledCode('dnsRoot'), writeAddress(new CellWriter(), dnsCollectionAddress).toCell())

/** Configuration parameter 4. */
export const dnsRootAddress = (): Address => contractAddress(dnsRootInit(), -1)

export const dnsItemAddress = (name: string): Address => {
  const label = new CellWriter().writeBytes(encodeUtf8(name)).toCell()
  const data = writeAddress(new CellWriter().writeBytes(label.hash()), dnsCollectionAddress).toCell()
  return contractAddress(contractInit(compiledCode('dnsItem'), data))
}

/** Sets what a name leads to in a category (`wallet`, `site`), or deletes it. */
export const changeRecordBody = (queryId: bigint, category: string, record: DnsRecord | undefined): Cell => {
  const w = startBody(CHANGE_RECORD, queryId).writeBytes(hashName(category))
  return (record === undefined ? w : w.writeRef(writeWhole(writeDnsRecord, record))).toCell()
}

/** Shows that a name is still wanted. */
export const renewNameBody = (queryId: bigint): Cell =>
  startBody(CHANGE_RECORD, queryId).writeBytes(new Uint8Array(32)).toCell()
