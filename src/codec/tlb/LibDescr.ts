import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../cell/Dict.ts'
import { hashKey, presenceValue } from '../cell/dictTypes.ts'

/** The masterchain accounts that keep a library public. */
export type LibPublishers = Dict<Uint8Array, true>

export type LibDescr = { readonly lib: Cell; readonly publishers: LibPublishers }

export const libPublishersType: DictType<Uint8Array, true> = { key: hashKey, value: presenceValue }

/** shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr; */
export const readLibDescr = (r: CellReader): LibDescr => {
  r.expectTag(0b00, 2)
  return { lib: r.readRefCell(), publishers: readInlineDict(r, libPublishersType) }
}

export const writeLibDescr = (w: CellWriter, { lib, publishers }: LibDescr): void => {
  w.writeUint(0b00, 2).writeRef(lib)
  writeInlineDict(w, publishers)
}

/** Public libraries by the hash of their cell. */
export type Libraries = Dict<Uint8Array, LibDescr>

/** libraries:(HashmapE 256 LibDescr) */
export const librariesType: DictType<Uint8Array, LibDescr> = {
  key: hashKey,
  value: { read: readLibDescr, write: writeLibDescr },
}
