import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of the bridge for bitcoin; most of what it does is told by its logs. */
export const tgbtcOps = {
  mintHead: 0x3f781d24,
  mintTail: 0xe42a879b,
  mintLog: 0x77a80ef3,
  burnNotification: 0x587643a2,
  burnLog: 0xca444ce6,
  keyChange: 0x690f357a,
  newKeyLog: 0x27756729,
  dkgLog: 0x453443a6,
  pegout: 0xbe44e7a6,
  pegoutFollowUp: 0x1a84c0e0,
} as const

export type MintLog = { readonly amount: bigint; readonly recipient: string | undefined; readonly txid: bigint }

export const readMintLog = (block: Block): MintLog => {
  const r = openBody(block)
  return { amount: r.readCoins(), recipient: readAddress(r), txid: r.readUintWide(256) }
}

export type BurnLog = {
  readonly amount: bigint
  readonly sender: string | undefined
  readonly pegout: string | undefined
}

export const readBurnLog = (block: Block): BurnLog => {
  const r = openBody(block)
  return { amount: r.readCoins(), sender: readAddress(r), pegout: readAddress(r) }
}

export type NewKeyLog = { readonly amount: bigint; readonly pubkey: bigint; readonly pegout: string | undefined }

export const readNewKeyLog = (block: Block): NewKeyLog => {
  const r = openBody(block)
  return { amount: r.readCoins(), pubkey: r.readUintWide(256), pegout: readAddress(r) }
}

export type DkgLog = { readonly timestamp: bigint; readonly pubkey: bigint }

export const readDkgLog = (block: Block): DkgLog => {
  const r = openBody(block)
  return { timestamp: r.readUint64(), pubkey: r.readUintWide(256) }
}
