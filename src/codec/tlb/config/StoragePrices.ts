import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../../cell/Dict.ts'
import { uintKey } from '../../cell/dictTypes.ts'

/** Prices per second from a moment on, in 1/65,536 of a nanogram. */
export type StoragePrices = {
  readonly utimeSince: number
  readonly bitPrice: bigint
  readonly cellPrice: bigint
  readonly masterchainBitPrice: bigint
  readonly masterchainCellPrice: bigint
}

/** The prices of all periods by number, in the order of time. */
export type StoragePriceList = Dict<number, StoragePrices>

/** _#cc utime_since:uint32 bit_price_ps:uint64 cell_price_ps:uint64 mc_bit_price_ps:uint64 mc_cell_price_ps:uint64 */
const readStoragePrices = (r: CellReader): StoragePrices => {
  r.expectTag(0xcc, 8)
  return {
    utimeSince: r.readUint(32),
    bitPrice: r.readUint64(),
    cellPrice: r.readUint64(),
    masterchainBitPrice: r.readUint64(),
    masterchainCellPrice: r.readUint64(),
  }
}

const writeStoragePrices = (w: CellWriter, prices: StoragePrices): void => {
  w.writeUint(0xcc, 8).writeUint(prices.utimeSince, 32).writeUint64(prices.bitPrice).writeUint64(prices.cellPrice)
  w.writeUint64(prices.masterchainBitPrice).writeUint64(prices.masterchainCellPrice)
}

export const storagePriceListType: DictType<number, StoragePrices> = {
  key: uintKey(32),
  value: { read: readStoragePrices, write: writeStoragePrices },
}

/** _ (Hashmap 32 StoragePrices) = ConfigParam 18; */
export const readStoragePriceList = (r: CellReader): StoragePriceList => readInlineDict(r, storagePriceListType)

export const writeStoragePriceList = (w: CellWriter, list: StoragePriceList): void => {
  writeInlineDict(w, list)
}
