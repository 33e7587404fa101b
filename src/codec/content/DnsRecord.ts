import type { CellReader } from '../cell/CellReader.ts'
import type { CellSlice } from '../cell/CellSlice.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { type MsgAddressInt, readMsgAddressInt, writeMsgAddress } from '../tlb/MsgAddress.ts'
import { readDnsText, writeDnsText } from './dnsText.ts'

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
      throw new CellError(`The tag of a domain record was expected, #${tag.toString(16).padStart(4, '0')} came.`)
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
  if (flags > 1) throw new CellError(`The flags of a domain record are 0 or 1, ${flags} came.`)
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
