import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey, presenceValue } from '../../cell/dictTypes.ts'

/** Masterchain accounts that pay no fees and may run at every block. */
export type FundamentalContracts = Dict<Uint8Array, true>

export const fundamentalContractsType: DictType<Uint8Array, true> = { key: hashKey, value: presenceValue }

/** _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31; */
export const readFundamentalContracts = (r: CellReader): FundamentalContracts => readDict(r, fundamentalContractsType)

export const writeFundamentalContracts = (w: CellWriter, contracts: FundamentalContracts): void => {
  writeDict(w, contracts)
}
