import { type CellReader, openSlice } from '../cell/CellReader.ts'
import type { CellSlice } from '../cell/CellSlice.ts'
import type { DictType } from '../cell/Dict.ts'
import { hashKey } from '../cell/dictTypes.ts'

/** A dictionary by the SHA-256 of names, as tokens and domains have them. Values are opened with `openEntry`. */
export const contentDictType: DictType<Uint8Array, CellSlice> = {
  key: hashKey,
  value: { read: (r) => r.readRest(), write: (w, slice) => void w.writeSlice(slice) },
}

/** The standards put a value into a reference of its own; some contracts write it in place, which readers have to bear. */
export const openEntry = (entry: CellSlice): CellReader => {
  const r = openSlice(entry)
  return r.remainingBits === 0 && r.remainingRefs === 1 ? r.readRef() : r
}
