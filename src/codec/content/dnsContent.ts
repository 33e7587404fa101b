import type { CellReader } from '../cell/CellReader.ts'
import { type CellSlice, wholeSlice } from '../cell/CellSlice.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict, readDict, writeDict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentLimitError } from './ContentBudget.ts'
import { ContentError } from './ContentError.ts'
import { contentDictType, openEntry } from './contentDict.ts'
import { type DnsRecord, readDnsRecord, writeDnsRecord } from './DnsRecord.ts'
import { createNameLookup } from './nameHashes.ts'

const MAX_RECORDS = 1024

const findCategoryName = createNameLookup(['wallet', 'site', 'storage', 'dns_next_resolver'])

export type DnsEntry = {
  /** SHA-256 of the category's name. */
  readonly category: Uint8Array
  readonly name: string | undefined
  /** A record, or what stands there instead. */
  readonly value: DnsRecord | { readonly kind: 'other'; readonly slice: CellSlice }
}

/** The records of a domain by category. */
export const listDnsEntries = (records: Dict<Uint8Array, CellSlice>): DnsEntry[] => {
  const entries: DnsEntry[] = []
  records.forEach((category, entry) => {
    if (entries.length === MAX_RECORDS) {
      throw new ContentLimitError(`A domain has more than ${MAX_RECORDS} records, the most taken here.`)
    }
    entries.push({ category, name: findCategoryName(category), value: readEntry(entry) })
  })
  return entries
}

/** The content of a domain item: byte 00, as of token content on the chain, then HashmapE 256 ^DNSRecord. */
export const readDnsContent = (r: CellReader): DnsEntry[] => {
  const layout = r.readUint(8)
  if (layout !== 0) {
    throw new ContentError(`The content of a domain starts with byte 00, ${layout.toString(16).padStart(2, '0')} came.`)
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

const readEntry = (entry: CellSlice): DnsEntry['value'] => {
  try {
    const r = openEntry(entry)
    const record = readDnsRecord(r)
    r.expectEnd('A domain record')
    return record
  } catch (error) {
    if (error instanceof CellError) return { kind: 'other', slice: entry }
    throw error
  }
}

const writeEntry = (value: DnsEntry['value']): CellSlice => {
  if (value.kind === 'other') return value.slice
  return wholeSlice(new CellWriter().writeRef(writeWhole(writeDnsRecord, value)).toCell())
}
