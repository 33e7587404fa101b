import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type Dict, type DictType, readInlineDict, writeInlineDict } from '../cell/Dict.ts'
import { hashKey, presenceValue } from '../cell/dictTypes.ts'

/**
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 *   library:(Maybe ^Cell) = StateInit;
 */
export const readStateInit = (r: CellReader) => ({
  /** Called split_depth before global version 10. */
  fixedPrefixLength: r.readBit() ? r.readUint(5) : undefined,
  special: r.readBit() ? { tick: r.readBit(), tock: r.readBit() } : undefined,
  code: r.readMaybeRefCell(),
  data: r.readMaybeRefCell(),
  /** Root of a dictionary of SimpleLib by hash; not looked into here. */
  library: r.readMaybeRefCell(),
})

export type StateInit = Readonly<ReturnType<typeof readStateInit>>

export const writeStateInit = (w: CellWriter, init: StateInit): void => {
  w.writeBit(init.fixedPrefixLength !== undefined)
  if (init.fixedPrefixLength !== undefined) w.writeUint(init.fixedPrefixLength, 5)
  w.writeBit(init.special !== undefined)
  if (init.special !== undefined) w.writeBit(init.special.tick).writeBit(init.special.tock)
  w.writeMaybeRef(init.code).writeMaybeRef(init.data).writeMaybeRef(init.library)
}

export type SimpleLib = { readonly isPublic: boolean; readonly root: Cell }

/** simple_lib$_ public:Bool root:^Cell = SimpleLib; */
export const readSimpleLib = (r: CellReader): SimpleLib => ({ isPublic: r.readBit(), root: r.readRefCell() })

export const writeSimpleLib = (w: CellWriter, { isPublic, root }: SimpleLib): void => {
  w.writeBit(isPublic).writeRef(root)
}

/** The libraries of one account by the hash of their cell: `library` of a StateInit is the root of such a dictionary. */
export const simpleLibsType: DictType<Uint8Array, SimpleLib> = {
  key: hashKey,
  value: { read: readSimpleLib, write: writeSimpleLib },
}

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
