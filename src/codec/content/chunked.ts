import type { Cell } from '../cell/Cell.ts'
import { type CellReader, openCell } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { Dict, type DictType, readDict, writeDict } from '../cell/Dict.ts'
import { cellValue, uintKey } from '../cell/dictTypes.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import type { ContentBudget } from './ContentBudget.ts'
import { readSnakeWithin, writeSnake } from './snake.ts'

const chunksType: DictType<number, Cell> = { key: uintKey(32), value: cellValue }

/** A piece of a byte string. Where one ends and the next begins has no meaning. */
export type Chunk = { readonly number: number; readonly bytes: Uint8Array }

/**
 * chunked_data#_ data:(HashmapE 32 ^(SnakeData ~0)) = ChunkedData;
 *
 * The pieces in the order of their numbers, which should run from 0 on but have gaps in the wild.
 */
export const readChunks = (r: CellReader, budget: ContentBudget): Chunk[] => {
  const chunks: Chunk[] = []
  readDict(r, chunksType).forEach((number, cell) => {
    chunks.push({ number, bytes: readSnakeWithin(openCell(cell), budget) })
  })
  return chunks
}

export const writeChunks = (w: CellWriter, chunks: readonly Chunk[]): void => {
  const entries = chunks.map(({ number, bytes }) => [number, writeWhole(writeSnake, bytes)] as const)
  writeDict(w, Dict.of(chunksType, entries))
}
