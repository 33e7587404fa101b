import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../../cell/Dict.ts'
import { int32Key, presenceValue } from '../../cell/dictTypes.ts'

/** A set of parameter numbers, never empty. */
export type ParamNumbers = Dict<number, true>

export const paramNumbersType: DictType<number, true> = { key: int32Key, value: presenceValue }

/** _ mandatory_params:(Hashmap 32 True) = ConfigParam 9; _ critical_params:(Hashmap 32 True) = ConfigParam 10; */
export const readParamNumbers = (r: CellReader): ParamNumbers => readInlineDict(r, paramNumbersType)

export const writeParamNumbers = (w: CellWriter, numbers: ParamNumbers): void => {
  writeInlineDict(w, numbers)
}
