import { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { type CellWriter, sliceToCell } from '../cell/CellWriter.ts'
import { Dict, type DictType } from '../cell/Dict.ts'
import { cellValue, int32Key } from '../cell/dictTypes.ts'
import { CellError } from '../cell/errors.ts'

/** The parameters of the network by number, each in a cell of its own. */
export type ConfigDict = Dict<number, Cell>

export type ConfigParams = { readonly configAddr: Uint8Array; readonly config: ConfigDict }

export const configDictType: DictType<number, Cell> = { key: int32Key, value: cellValue }

/** _ config_addr:bits256 config:^(Hashmap 32 ^Cell) = ConfigParams; */
export const readConfigParams = (r: CellReader): ConfigParams => ({
  configAddr: r.readBytes(32),
  config: new Dict(configDictType, r.readRefCell()),
})

export const writeConfigParams = (w: CellWriter, { configAddr, config }: ConfigParams): void => {
  const { root } = config
  if (root === undefined) throw new CellError('A configuration has at least one parameter, this one has none.')
  w.writeBytes(configAddr).writeRef(root instanceof Cell ? root : sliceToCell(root))
}
