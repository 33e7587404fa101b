import type { DictType } from '../../cell/Dict.ts'
import { uintKey, type ValueCodec } from '../../cell/dictTypes.ts'
import { coins, inlineDictOf, record, tagged, uint16, uint32, uint64, type ValueOf } from '../record.ts'
import { unknownTag } from '../scalars.ts'

/**
 * Prices per second from a moment on, in 1/65,536 of a nanogram:
 * _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64
 */
const storagePrices = tagged(
  0xcc,
  8,
  record({
    utimeSince: uint32,
    bitPrice: uint64,
    cellPrice: uint64,
    masterchainBitPrice: uint64,
    masterchainCellPrice: uint64,
  }),
)

export type StoragePrices = ValueOf<typeof storagePrices>

/** The prices of all periods by number, in the order of time. */
export const storagePriceListType: DictType<number, StoragePrices> = { key: uintKey(32), value: storagePrices }

/** _ (Hashmap 32 StoragePrices) = ConfigParam 18; */
export const storagePriceList = inlineDictOf(storagePriceListType)

/** So much gas costs a fixed price, whether it is used up or not. */
const flatGas = record({ limit: uint64, price: uint64 })

const gasPriceFields = record({
  /** For one unit of gas, in 1/65,536 of a nanogram. */
  gasPrice: uint64,
  gasLimit: uint64,
})

const gasLimitFields = record({
  gasCredit: uint64,
  blockGasLimit: uint64,
  freezeDueLimit: uint64,
  deleteDueLimit: uint64,
})

export type GasPrices = ValueOf<typeof gasPriceFields> &
  ValueOf<typeof gasLimitFields> & {
    readonly flat: ValueOf<typeof flatGas> | undefined
    /** For special contracts; absent in the old form. */
    readonly specialGasLimit: bigint | undefined
  }

/**
 * gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
 * gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64 block_gas_limit:uint64 freeze_due_limit:uint64
 *   delete_due_limit:uint64 = GasLimitsPrices;
 * gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
 *   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
 * (ConfigParam 20 for the masterchain, 21 for the others)
 */
export const gasPrices: ValueCodec<GasPrices> = {
  read: (r) => {
    const first = r.readUint(8)
    const flat = first === 0xd1 ? flatGas.read(r) : undefined
    const tag = flat === undefined ? first : r.readUint(8)
    if (tag !== 0xdd && tag !== 0xde) throw unknownTag('A GasLimitsPrices', '#d1 (once), #dd or #de', tag, 8)
    const prices = gasPriceFields.read(r)
    const special = tag === 0xde ? r.readUint64() : undefined
    return { flat, ...prices, specialGasLimit: special, ...gasLimitFields.read(r) }
  },
  write: (w, prices) => {
    if (prices.flat !== undefined) flatGas.write(w.writeUint(0xd1, 8), prices.flat)
    gasPriceFields.write(w.writeUint(prices.specialGasLimit === undefined ? 0xdd : 0xde, 8), prices)
    if (prices.specialGasLimit !== undefined) w.writeUint64(prices.specialGasLimit)
    gasLimitFields.write(w, prices)
  },
}

/**
 * Forwarding prices of a message: `lumpPrice` in nanograms, the others in 1/65,536:
 * msg_forward_prices#ea lump_price:uint64 bit_price:uint64 cell_price:uint64 ihr_price_factor:uint32
 *   first_frac:uint16 next_frac:uint16 = MsgForwardPrices;
 * (ConfigParam 24 for messages from or to the masterchain, 25 for the others)
 */
export const forwardPrices = tagged(
  0xea,
  8,
  record({
    lumpPrice: uint64,
    bitPrice: uint64,
    cellPrice: uint64,
    ihrPriceFactor: uint32,
    firstFraction: uint16,
    nextFraction: uint16,
  }),
)

export type ForwardPrices = ValueOf<typeof forwardPrices>

/** Prices of minting an extra currency: _ mint_new_price:Grams mint_add_price:Grams = ConfigParam 6; */
export const mintPrices = record({ newPrice: coins, addPrice: coins })

/** complaint_prices#1a deposit:Grams bit_price:Grams cell_price:Grams = ComplaintPricing; (ConfigParam 13) */
export const complaintPricing = tagged(0x1a, 8, record({ deposit: coins, bitPrice: coins, cellPrice: coins }))

/**
 * Coins created with every block. A shard gets its share of the amount for the workchain.
 * block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees; (ConfigParam 14)
 */
export const blockCreateFees = tagged(0x6b, 8, record({ masterchainBlockFee: coins, basechainBlockFee: coins }))

export type BlockCreateFees = ValueOf<typeof blockCreateFees>
