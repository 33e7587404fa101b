import type { Reader } from '../connect/Reader.ts'
import { rawQuery } from './rawQuery.ts'

const WIDTH = rawQuery<{ partition_width: number }>('select partition_width from index_state', [])

/** By who was asked: it is the same for as long as an index is the same. */
const widths = new WeakMap<Reader, number>()

/** How many masterchain blocks a partition is for; `undefined` where there is no index yet. */
export const findPartitionWidth = async (reader: Reader): Promise<number | undefined> => {
  const known = widths.get(sharedBy(reader))
  if (known !== undefined) return known
  const width = (await reader.read(WIDTH))[0]?.partition_width
  if (width !== undefined) widths.set(sharedBy(reader), width)
  return width
}

/** Where something is not found in the partition in which it should be, it is perhaps another index by now. */
export const forgetPartitionWidth = (reader: Reader): void => {
  widths.delete(sharedBy(reader))
}

const sharedBy = (reader: Reader): Reader => reader.behind ?? reader
