import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** What it costs to send a message: `lumpPrice` in nanograms, the others in 1/65,536. */
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
