import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import type { DictType } from '../cell/Dict.ts'
import { hashKey } from '../cell/dictTypes.ts'

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
