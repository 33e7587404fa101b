import type { Address } from '../../primitives/Address.ts'
import { findReadable, UnexpectedResultError } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

/** "FIXP": what sales of this kind leave first. */
const FIX_PRICE = 0x46495850n

/** A contract of GetGems that sells an NFT for a price. */
export type FixPriceSale = {
  readonly isComplete: boolean
  /** In seconds. */
  readonly createdAt: number
  readonly marketplace: Address | undefined
  readonly nft: Address
  /** Nobody before the NFT has come. */
  readonly owner: Address | undefined
  readonly fullPrice: bigint
  readonly marketplaceFeeAddress: Address | undefined
  /** Coins; of version 4 a share in hundred thousandths of the price. The same goes for the royalty. */
  readonly marketplaceFee: bigint
  readonly royaltyAddress: Address | undefined
  readonly royaltyAmount: bigint
}

/** The sale that this contract is, of version 2, 3 or 4. */
export const findFixPriceSale = async (run: RunMethod, address: Address): Promise<FixPriceSale | undefined> => {
  const newer = await run(address, 'get_fix_price_data_v4', [])
  const sale = findReadable(() => readSale(new ResultReader(newer)))
  if (sale !== undefined) return sale
  const older = await run(address, 'get_sale_data', [])
  return findReadable(() => readOlderSale(older))
}

const readOlderSale = (result: MethodResult): FixPriceSale => {
  const r = new ResultReader(result)
  const kind = r.readInt()
  if (kind !== FIX_PRICE) throw new UnexpectedResultError(`A sale is of kind ${FIX_PRICE}, this is of ${kind}.`)
  return readSale(r)
}

const readSale = (r: ResultReader): FixPriceSale => ({
  isComplete: r.readBool(),
  createdAt: r.readNumber(),
  marketplace: r.readMaybeAddress(),
  nft: r.readAddress(),
  owner: r.readMaybeAddress(),
  fullPrice: r.readUint(),
  marketplaceFeeAddress: r.readMaybeAddress(),
  marketplaceFee: r.readUint(),
  royaltyAddress: r.readMaybeAddress(),
  royaltyAmount: r.readUint(),
})
