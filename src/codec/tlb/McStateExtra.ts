import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type ConfigParams, readConfigParams, writeConfigParams } from './ConfigParams.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { readShardHashes, type ShardHashes, writeShardHashes } from './ShardHashes.ts'

/** What a masterchain state has besides. */
export type McStateExtra = {
  readonly shardHashes: ShardHashes
  readonly config: ConfigParams
  /** Cell of the McStateHistory, which not every proof holds; open it with `openMcStateHistory`. */
  readonly history: Cell
  readonly globalBalance: CurrencyCollection
}

/**
 * masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams
 *   ^[ flags:(## 16) … ] global_balance:CurrencyCollection = McStateExtra;
 */
export const readMcStateExtra = (r: CellReader): McStateExtra => {
  r.expectTag(0xcc26, 16)
  return {
    shardHashes: readShardHashes(r),
    config: readConfigParams(r),
    history: r.readRefCell(),
    globalBalance: readCurrencyCollection(r),
  }
}

export const writeMcStateExtra = (w: CellWriter, extra: McStateExtra): void => {
  w.writeUint(0xcc26, 16)
  writeShardHashes(w, extra.shardHashes)
  writeConfigParams(w, extra.config)
  w.writeRef(extra.history)
  writeCurrencyCollection(w, extra.globalBalance)
}

/** Reads the McStateExtra that fills a cell, which is `custom` of a masterchain state. */
export const openMcStateExtra = (cell: Cell): McStateExtra => readWhole(cell, readMcStateExtra, 'A McStateExtra')
