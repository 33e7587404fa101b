import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../../cell/Dict.ts'
import { uintKey } from '../../cell/dictTypes.ts'
import { unknownTag } from '../scalars.ts'

/** Prices per second from a moment on, in 1/65,536 of a nanogram. */
export type StoragePrices = {
  readonly utimeSince: number
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly masterchainBitPrice: bigint
  readonly masterchainCellPrice: bigint
}

/** The prices of all periods by number, in the order of time. */
export type StoragePriceList = Dict<number, StoragePrices>

/** _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 */
const readStoragePrices = (r: CellReader): StoragePrices => {
  r.expectTag(0xcc, 8)
  return {
    utimeSince: r.readUint(32),
    bitPrice: r.readUint64(),
    cellPrice: r.readUint64(),
    masterchainBitPrice: r.readUint64(),
    masterchainCellPrice: r.readUint64(),
  }
}

const writeStoragePrices = (w: CellWriter, prices: StoragePrices): void => {
  w.writeUint(0xcc, 8).writeUint(prices.utimeSince, 32).writeUint64(prices.bitPrice).writeUint64(prices.cellPrice)
  w.writeUint64(prices.masterchainBitPrice).writeUint64(prices.masterchainCellPrice)
}

export const storagePriceListType: DictType<number, StoragePrices> = {
  key: uintKey(32),
  value: { read: readStoragePrices, write: writeStoragePrices },
}

/** _ (Hashmap 32 StoragePrices) = ConfigParam 18; */
export const readStoragePriceList = (r: CellReader): StoragePriceList => readInlineDict(r, storagePriceListType)

export const writeStoragePriceList = (w: CellWriter, list: StoragePriceList): void => {
  writeInlineDict(w, list)
}

/** So much gas costs a fixed price, whether it is used up or not. */
export type FlatGas = { readonly limit: bigint; readonly price: bigint }

export type GasPrices = {
  readonly flat: FlatGas | undefined
  /** For one unit of gas, in 1/65,536 of a nanogram. */
  readonly gasPrice: bigint
  readonly gasLimit: bigint
  /** For special contracts; absent in the old form. */
  readonly specialGasLimit: bigint | undefined
  readonly gasCredit: bigint
  readonly blockGasLimit: bigint
  readonly freezeDueLimit: bigint
  readonly deleteDueLimit: bigint
}

/**
 * gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
 * gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64 freeze_due_limit:uint64
 *   delete_due_limit:uint64 = GasLimitsPrices;
 * gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
 *   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
 * (ConfigParam 20 for the masterchain, 21 for the others)
 */
export const readGasPrices = (r: CellReader): GasPrices => {
  let tag = r.readUint(8)
  let flat: FlatGas | undefined
  if (tag === 0xd1) {
    flat = { limit: r.readUint64(), price: r.readUint64() }
    tag = r.readUint(8)
  }
  if (tag !== 0xdd && tag !== 0xde) throw unknownTag('A GasLimitsPrices', '#d1 (once), #dd or #de', tag, 8)
  return {
    flat,
    gasPrice: r.readUint64(),
    gasLimit: r.readUint64(),
    specialGasLimit: tag === 0xde ? r.readUint64() : undefined,
    gasCredit: r.readUint64(),
    blockGasLimit: r.readUint64(),
    freezeDueLimit: r.readUint64(),
    deleteDueLimit: r.readUint64(),
  }
}

export const writeGasPrices = (w: CellWriter, prices: GasPrices): void => {
  if (prices.flat !== undefined) w.writeUint(0xd1, 8).writeUint64(prices.flat.limit).writeUint64(prices.flat.price)
  w.writeUint(prices.specialGasLimit === undefined ? 0xdd : 0xde, 8)
  w.writeUint64(prices.gasPrice).writeUint64(prices.gasLimit)
  if (prices.specialGasLimit !== undefined) w.writeUint64(prices.specialGasLimit)
  w.writeUint64(prices.gasCredit).writeUint64(prices.blockGasLimit)
  w.writeUint64(prices.freezeDueLimit).writeUint64(prices.deleteDueLimit)
}

/** Forwarding prices of a message: `lumpPrice` in nanograms, the others in 1/65,536. */
export type ForwardPrices = {
  readonly lumpPrice: bigint
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly ihrPriceFactor: number
  readonly firstFraction: number
  readonly nextFraction: number
}

/**
 * msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
 *   first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
 * (ConfigParam 24 for messages from or to the masterchain, 25 for the others)
 */
export const readForwardPrices = (r: CellReader): ForwardPrices => {
  r.expectTag(0xea, 8)
  return {
    lumpPrice: r.readUint64(),
    bitPrice: r.readUint64(),
    cellPrice: r.readUint64(),
    ihrPriceFactor: r.readUint(32),
    firstFraction: r.readUint(16),
    nextFraction: r.readUint(16),
  }
}

export const writeForwardPrices = (w: CellWriter, prices: ForwardPrices): void => {
  w.writeUint(0xea, 8).writeUint64(prices.lumpPrice).writeUint64(prices.bitPrice).writeUint64(prices.cellPrice)
  w.writeUint(prices.ihrPriceFactor, 32).writeUint(prices.firstFraction, 16).writeUint(prices.nextFraction, 16)
}

/** Prices of minting an extra currency, for the first time and again. */
export type MintPrices = { readonly newPrice: bigint; readonly addPrice: bigint }

/** _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6; */
export const readMintPrices = (r: CellReader): MintPrices => ({ newPrice: r.readCoins(), addPrice: r.readCoins() })

export const writeMintPrices = (w: CellWriter, { newPrice, addPrice }: MintPrices): void => {
  w.writeCoins(newPrice).writeCoins(addPrice)
}

export type ComplaintPricing = { readonly deposit: bigint; readonly bitPrice: bigint; readonly cellPrice: bigint }

/** complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing; (ConfigParam 13) */
export const readComplaintPricing = (r: CellReader): ComplaintPricing => {
  r.expectTag(0x1a, 8)
  return { deposit: r.readCoins(), bitPrice: r.readCoins(), cellPrice: r.readCoins() }
}

export const writeComplaintPricing = (w: CellWriter, { deposit, bitPrice, cellPrice }: ComplaintPricing): void => {
  w.writeUint(0x1a, 8).writeCoins(deposit).writeCoins(bitPrice).writeCoins(cellPrice)
}

/** Coins created with every block. A shard gets its share of the amount for the workchain. */
export type BlockCreateFees = { readonly masterchainBlockFee: bigint; readonly basechainBlockFee: bigint }

/** block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees; (ConfigParam 14) */
export const readBlockCreateFees = (r: CellReader): BlockCreateFees => {
  r.expectTag(0x6b, 8)
  return { masterchainBlockFee: r.readCoins(), basechainBlockFee: r.readCoins() }
}

export const writeBlockCreateFees = (w: CellWriter, fees: BlockCreateFees): void => {
  w.writeUint(0x6b, 8).writeCoins(fees.masterchainBlockFee).writeCoins(fees.basechainBlockFee)
}
