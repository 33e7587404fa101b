import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** What is created with every block; a shard gets its share of the whole workchain's. */
export type BlockCreateFees = { readonly masterchainBlockFee: bigint; readonly basechainBlockFee: bigint }

/** block_grams_created#6b masterchain_block_fee:Grams basechain_block_fee:Grams = BlockCreateFees; (ConfigParam 14) */
export const readBlockCreateFees = (r: CellReader): BlockCreateFees => {
  r.expectTag(0x6b, 8)
  return { masterchainBlockFee: r.readCoins(), basechainBlockFee: r.readCoins() }
}

export const writeBlockCreateFees = (w: CellWriter, fees: BlockCreateFees): void => {
  w.writeUint(0x6b, 8).writeCoins(fees.masterchainBlockFee).writeCoins(fees.basechainBlockFee)
}
