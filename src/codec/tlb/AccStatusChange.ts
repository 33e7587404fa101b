import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type AccStatusChange = 'unchanged' | 'frozen' | 'deleted'

/** acst_unchanged$0 acst_frozen$10 acst_deleted$11 = AccStatusChange; */
export const readAccStatusChange = (r: CellReader): AccStatusChange => {
  if (!r.readBit()) return 'unchanged'
  return r.readBit() ? 'deleted' : 'frozen'
}

export const writeAccStatusChange = (w: CellWriter, change: AccStatusChange): void => {
  if (change === 'unchanged') w.writeBit(false)
  else w.writeBit(true).writeBit(change === 'deleted')
}
