import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey } from '../../cell/dictTypes.ts'

/** The gas that a run of such a contract counts as, by the hash of its code. */
export type PrecompiledContracts = Dict<Uint8Array, bigint>

/** precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc; */
export const precompiledContractsType: DictType<Uint8Array, bigint> = {
  key: hashKey,
  value: {
    read: (r) => {
      r.expectTag(0xb0, 8)
      return r.readUint64()
    },
    write: (w, gasUsage) => void w.writeUint(0xb0, 8).writeUint64(gasUsage),
  },
}

/** precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig; (ConfigParam 45) */
export const readPrecompiledContracts = (r: CellReader): PrecompiledContracts => {
  r.expectTag(0xc0, 8)
  return readDict(r, precompiledContractsType)
}

export const writePrecompiledContracts = (w: CellWriter, contracts: PrecompiledContracts): void => {
  w.writeUint(0xc0, 8)
  writeDict(w, contracts)
}
