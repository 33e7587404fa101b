import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { int32Key } from '../../cell/dictTypes.ts'
import { readWorkchainDescr, type WorkchainDescr, writeWorkchainDescr } from '../WorkchainDescr.ts'

/** The workchains besides the masterchain, by number. */
export type Workchains = Dict<number, WorkchainDescr>

export const workchainsType: DictType<number, WorkchainDescr> = {
  key: int32Key,
  value: { read: readWorkchainDescr, write: writeWorkchainDescr },
}

/** _ workchains:(HashmapE 32 WorkchainDescr) = ConfigParam 12; */
export const readWorkchains = (r: CellReader): Workchains => readDict(r, workchainsType)

export const writeWorkchains = (w: CellWriter, workchains: Workchains): void => {
  writeDict(w, workchains)
}
