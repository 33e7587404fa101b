import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { unknownTag } from '../unknownTag.ts'

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
