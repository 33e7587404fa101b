import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { readDnsText } from '../../../codec/content/dns.ts'
import { toHex } from '../../../primitives/hex.ts'
import type { Block } from '../../tree/Block.ts'
import { escapeText } from '../../tree/readTransferComment.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of domains (TEP-81), and of those below .ton. */
export const dnsOps = { changeRecord: 0x4eb1f0f9, releaseBalance: 0x4ed14b65, bounced: 0xffffffff } as const

/** A record as it is shown. What it says is kept as text. */
export type ShownRecord = {
  readonly kind: 'DNSNextResolver' | 'DNSAdnlAddress' | 'DNSSmcAddress' | 'DNSStorageAddress' | 'DNSText' | 'Unknown'
  readonly value: string | undefined
  readonly flags: number | undefined
}

export type ChangeRecordBody = {
  /** Hex. */
  readonly key: string
  /** `undefined` where the record is taken away. */
  readonly record: ShownRecord | undefined
}

export const readChangeRecord = (block: Block): ChangeRecordBody => {
  const r = openBody(block)
  r.skipBits(64)
  const key = toHex(r.readBytes(32))
  return { key, record: r.remainingRefs > 0 ? readRecord(openCell(r.readRefCell())) : undefined }
}

/** Anybody may write anything there: what follows a known beginning is not looked at, nor are flags. */
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

/** The number of a question, which some bodies leave out. */
export const findQueryId = (block: Block): bigint | undefined => {
  const r = openBody(block)
  return r.remainingBits >= 64 ? r.readUint64() : undefined
}
