import { concatBytes } from '../../primitives/bytes.ts'
import type { CellSlice } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import type { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { MAX_BITS } from '../cell/exotic.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from '../tlb/MsgAddress.ts'
import { ContentError, ContentLimitError } from './ContentBudget.ts'
import { createNameLookup, openEntry } from './tokenContent.ts'

const MAX_CHUNKS = 255

/**
 * text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
 * text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
 * text_chunk_empty$_ = TextChunks 0; chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
 * chunk_ref_empty$_ = TextChunkRef 0;
 */
export const readDnsText = (r: CellReader): Uint8Array => {
  const parts: Uint8Array[] = []
  let chunk = r
  for (let left = r.readUint(8); left > 0; left--) {
    parts.push(chunk.readBytes(chunk.readUint(8)))
    const next = left > 1 ? chunk.readRef() : undefined
    if (chunk !== r) chunk.expectEnd('A chunk of a text')
    if (next !== undefined) chunk = next
  }
  return concatBytes(parts)
}

/** Writes a text in as few cells as it needs, the first of them this one. */
export const writeDnsText = (w: CellWriter, bytes: Uint8Array): void => {
  const room = Math.max(0, ((MAX_BITS - w.usedBits) >> 3) - 2)
  const perCell = (MAX_BITS >> 3) - 1
  const chunks = bytes.length === 0 ? [] : [bytes.subarray(0, room)]
  for (let at = room; at < bytes.length; at += perCell) chunks.push(bytes.subarray(at, at + perCell))
  if (chunks.length > MAX_CHUNKS) {
    throw new ContentError(`A text of ${bytes.length} bytes takes ${chunks.length} chunks, at most ${MAX_CHUNKS} fit.`)
  }
  w.writeUint(chunks.length, 8)
  const [first, ...further] = chunks
  if (first === undefined) return
  w.writeUint(first.length, 8).writeBytes(first)
  const next = further.reduceRight<CellWriter | undefined>((behind, chunk) => {
    const cell = new CellWriter().writeUint(chunk.length, 8).writeBytes(chunk)
    return behind === undefined ? cell : cell.writeRef(behind.toCell())
  }, undefined)
  if (next !== undefined) w.writeRef(next.toCell())
}

const TEXT = 0x1eda
const NEXT_RESOLVER = 0xba93
const ADNL_ADDRESS = 0xad01
const SMC_ADDRESS = 0x9fd3
const STORAGE_ADDRESS = 0x7473

/** What a domain leads to (TEP-81). `list` is what follows flag 1, protocols or capabilities, and is not looked into. */
export type DnsRecord =
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
  | { readonly kind: 'nextResolver'; readonly resolver: MsgAddressInt }
  | { readonly kind: 'adnlAddress'; readonly adnl: Uint8Array; readonly flags: number; readonly list: DnsList }
  | { readonly kind: 'smcAddress'; readonly address: MsgAddressInt; readonly flags: number; readonly list: DnsList }
  | { readonly kind: 'storageAddress'; readonly bagId: Uint8Array }

type DnsList = CellSlice | undefined

/**
 * dns_text#1eda _:Text = DNSRecord; dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
 * dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) { flags <= 1 } proto_list:flags . 0?ProtoList = DNSRecord;
 * dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) { flags <= 1 } cap_list:flags . 0?SmcCapList = DNSRecord;
 * dns_storage_address#7473 bag_id:bits256 = DNSRecord;
 */
export const readDnsRecord = (r: CellReader): DnsRecord => {
  const tag = r.readUint(16)
  switch (tag) {
    case TEXT:
      return { kind: 'text', bytes: readDnsText(r) }
    case NEXT_RESOLVER:
      return { kind: 'nextResolver', resolver: readMsgAddressInt(r) }
    case ADNL_ADDRESS: {
      const adnl = r.readBytes(32)
      const flags = readFlags(r)
      return { kind: 'adnlAddress', adnl, flags, list: readList(r, flags) }
    }
    case SMC_ADDRESS: {
      const address = readMsgAddressInt(r)
      const flags = readFlags(r)
      return { kind: 'smcAddress', address, flags, list: readList(r, flags) }
    }
    case STORAGE_ADDRESS:
      return { kind: 'storageAddress', bagId: r.readBytes(32) }
    default:
      throw new CellError(`Expected the tag of a domain record, but got #${tag.toString(16).padStart(4, '0')}.`)
  }
}

export const writeDnsRecord = (w: CellWriter, record: DnsRecord): void => {
  switch (record.kind) {
    case 'text':
      w.writeUint(TEXT, 16)
      writeDnsText(w, record.bytes)
      return
    case 'nextResolver':
      w.writeUint(NEXT_RESOLVER, 16)
      writeMsgAddress(w, record.resolver)
      return
    case 'adnlAddress':
      w.writeUint(ADNL_ADDRESS, 16).writeBytes(record.adnl)
      writeFlags(w, record.flags, record.list)
      return
    case 'smcAddress':
      w.writeUint(SMC_ADDRESS, 16)
      writeMsgAddress(w, record.address)
      writeFlags(w, record.flags, record.list)
      return
    case 'storageAddress':
      w.writeUint(STORAGE_ADDRESS, 16).writeBytes(record.bagId)
  }
}

const readFlags = (r: CellReader): number => {
  const flags = r.readUint(8)
  if (flags > 1) throw new CellError(`The flags of a domain record are 0 or 1, but got ${flags}.`)
  return flags
}

const readList = (r: CellReader, flags: number): DnsList => (flags === 1 ? r.readRest() : undefined)

const writeFlags = (w: CellWriter, flags: number, list: DnsList): void => {
  if ((flags === 1) !== (list !== undefined)) {
    throw new CellError(`A domain record has a list with flags 1 and none with 0; its flags are ${flags}.`)
  }
  w.writeUint(flags, 8)
  if (list !== undefined) w.writeSlice(list)
}

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
