import { type CellSlice, wholeSlice } from '../../src/codec/cell/Cell.ts'
import type { CellReader } from '../../src/codec/cell/CellReader.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { Dict, readDict, writeDict } from '../../src/codec/cell/Dict.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { ContentError } from '../../src/codec/content/ContentBudget.ts'
import { type DnsEntry, listDnsEntries, writeDnsRecord } from '../../src/codec/content/dns.ts'
import { contentDictType } from '../../src/codec/content/tokenContent.ts'

/** The content of a domain item: byte 00, as of token content on the chain, then HashmapE 256 ^DNSRecord. */
export const readDnsContent = (r: CellReader): DnsEntry[] => {
  const layout = r.readUint(8)
  if (layout !== 0) {
    throw new ContentError(
      `The content of a domain starts with byte 00, but got ${layout.toString(16).padStart(2, '0')}.`,
    )
  }
  return listDnsEntries(readDict(r, contentDictType))
}

export const writeDnsContent = (w: CellWriter, entries: readonly Omit<DnsEntry, 'name'>[]): void => {
  w.writeUint(0, 8)
  writeDict(
    w,
    Dict.of(
      contentDictType,
      entries.map(({ category, value }) => [category, writeEntry(value)] as const),
    ),
  )
}

const writeEntry = (value: DnsEntry['value']): CellSlice => {
  if (value.kind === 'other') return value.slice
  return wholeSlice(new CellWriter().writeRef(writeWhole(writeDnsRecord, value)).toCell())
}
