import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { readStateInit } from '../../codec/tlb/StateInit.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { type Addresses, type Block, expectPresent, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'

/** Opcodes of contracts that sell items. */
export const saleOps = {
  changePrice: 0x6c6c2080,
  cancelSale: 0x00000003,
  cancelAuction: 0x5616c572,
  finishAuction: 0x20c9eb18,
  stopAuction: 0xb95616b6,
  teleitemStart: 0x487a8e81,
  teleitemCancel: 0x371638ae,
  teleitemOk: 0xa37a0983,
} as const

export const readChangedPrice = (
  block: Block,
): { readonly price: bigint; readonly fee: bigint; readonly royalty: bigint } => {
  const r = openBody(block)
  r.skipBits(64)
  return { price: r.readCoins(), fee: r.readCoins(), royalty: r.readCoins() }
}

export type SaleTerms = Addresses<'feeAddress' | 'royaltyAddress'> & {
  readonly price: bigint
  /** `undefined` where it is a share of the price. */
  readonly fee: bigint | undefined
  readonly royalty: bigint | undefined
}

export type AuctionTerms = Addresses<'feeAddress' | 'royaltyAddress'> & {
  readonly feeFactor: number
  readonly feeBase: number
  readonly royaltyBase: number
  readonly minBid: bigint
  readonly maxBid: bigint
}

/** The terms of a sale out of the state that its contract begins with. */
export const readSaleTerms = (deployment: Block, codeHash: string | undefined): SaleTerms =>
  readTerms(deployment, codeHash, saleLayouts, readSaleV4)

/** The terms of an auction out of the state that its contract begins with. */
export const readAuctionTerms = (deployment: Block, codeHash: string | undefined): AuctionTerms =>
  readTerms(deployment, codeHash, auctionLayouts, readAuctionV3r3)

/** By the code that the contract has or, where that is not known, the one that it began with. */
const readTerms = <Terms>(
  deployment: Block,
  codeHash: string | undefined,
  layouts: ReadonlyMap<string, (r: CellReader) => Terms>,
  readOther: (r: CellReader) => Terms,
): Terms => {
  const state = expectPresent(messageOf(deployment).initState, 'state of a new contract')
  const { code, data } = readStateInit(openCell(state))
  const version = codeHash ?? (code === undefined ? '' : toBase64(code.hash()))
  return (layouts.get(version) ?? readOther)(openCell(expectPresent(data, 'data of a new contract')))
}

const readSaleV1 = (r: CellReader): SaleTerms => {
  const price = readSalePrice(r)
  const fees = r.readRef()
  const fee = fees.readCoins()
  return {
    price,
    fee,
    feeAddress: readAddress(fees),
    royaltyAddress: readAddress(fees),
    royalty: fees.readCoins(),
  }
}

/** is_complete:(## 1) created_at:uint32, and then as before, with another order of the fees. */
const readSaleV2 = (r: CellReader): SaleTerms => {
  r.skipBits(1 + 32)
  const price = readSalePrice(r)
  const fees = r.readRef()
  const feeAddress = readAddress(fees)
  const fee = fees.readCoins()
  return { price, feeAddress, fee, royaltyAddress: readAddress(fees), royalty: fees.readCoins() }
}

/** marketplace, item and owner come first. */
const readSalePrice = (r: CellReader): bigint => {
  for (let k = 0; k < 3; k++) readAddress(r)
  return r.readCoins()
}

/** is_complete:(## 1) marketplace owner price:Coins sold_at query_id ^[fee address, royalty address, shares]. */
const readSaleV4 = (r: CellReader): SaleTerms => {
  r.skipBits(1)
  readAddress(r)
  readAddress(r)
  const price = r.readCoins()
  const fees = r.readRef()
  const feeAddress = readAddress(fees)
  return { price, feeAddress, fee: undefined, royaltyAddress: readAddress(fees), royalty: undefined }
}

/** address factor:uint32 base:uint32, of the marketplace and then of the author. */
const readFees = (r: CellReader) => {
  const feeAddress = readAddress(r)
  const feeFactor = r.readUint(32)
  const feeBase = r.readUint(32)
  const royaltyAddress = readAddress(r)
  r.skipBits(32)
  return { feeAddress, feeFactor, feeBase, royaltyAddress, royaltyBase: r.readUint(32) }
}

const readShares = (r: CellReader) => {
  const feeFactor = r.readUint(32)
  const feeBase = r.readUint(32)
  r.skipBits(32)
  return { feeFactor, feeBase, royaltyBase: r.readUint(32) }
}

const readBids = (r: CellReader) => ({ minBid: r.readCoins(), maxBid: r.readCoins() })

const readAuctionV1 = (r: CellReader): AuctionTerms => {
  const fees = readFees(r.readRef())
  return { ...fees, ...readBids(r.readRef()) }
}

const readAuctionV2 = (): never => {
  throw new MatchRefusedError('Auctions of the second version keep their terms elsewhere.')
}

const readAuctionV3r2 = (r: CellReader): AuctionTerms => {
  const fees = readFees(r.readRef())
  const terms = r.readRef()
  terms.skipBits(32)
  readAddress(terms)
  return { ...fees, ...readBids(terms) }
}

/** end and cancelled:(## 2) last_member last_bid:Coins last_bid_at end_time owner last_query_id, and the shares. */
const readAuctionV3r3 = (r: CellReader): AuctionTerms => {
  r.skipBits(2)
  readAddress(r)
  r.readCoins()
  r.skipBits(32 + 32)
  readAddress(r)
  r.skipBits(64)
  const shares = readShares(r)
  const addresses = r.readRef()
  const feeAddress = readAddress(addresses)
  const royaltyAddress = readAddress(addresses)
  return { feeAddress, royaltyAddress, ...shares, ...readMarketplaceBids(r.readRef()) }
}

/** As before, but the shares stand behind the addresses. */
const readAuctionV4 = (r: CellReader): AuctionTerms => {
  const fees = r.readRef()
  const feeAddress = readAddress(fees)
  const royaltyAddress = readAddress(fees)
  return { feeAddress, royaltyAddress, ...readShares(fees), ...readMarketplaceBids(r.readRef()) }
}

const readMarketplaceBids = (r: CellReader) => {
  readAddress(r)
  return readBids(r)
}

const saleLayouts: ReadonlyMap<string, (r: CellReader) => SaleTerms> = new Map([
  ['2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=', readSaleV1],
  ['gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=', readSaleV2],
  ['MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=', readSaleV2],
  ['3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=', readSaleV2],
  ['JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=', readSaleV2],
  ['a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=', readSaleV4],
])

const auctionLayouts: ReadonlyMap<string, (r: CellReader) => AuctionTerms> = new Map([
  ['/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=', readAuctionV1],
  ['ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=', readAuctionV2],
  ['G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=', readAuctionV3r2],
  ['u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=', readAuctionV3r3],
  ['zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=', readAuctionV4],
])
