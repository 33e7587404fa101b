import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of pools that give tokens for a stake, and of the bills that stand for a withdrawal to come. */
export const liquidOps = {
  deposit: 0x47d54391,
  mint: 0x1674b0a0,
  withdraw: 0x319b0cdc,
  paid: 0x0a77535c,
  billInit: 0x132f9a45,
  billBurn: 0xf127fe4e,
  billBurnt: 0xed58b0b2,
  payout: 0xdb3b8abd,
  distribute: 0x1140a64f,
} as const

export type BillBurntBody = { readonly amount: bigint; readonly owner: string | undefined }

export const readBillBurnt = (block: Block): BillBurntBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { amount: r.readCoins(), owner: readAddress(r) }
}
