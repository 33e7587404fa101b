import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type AccountStatus = 'uninit' | 'frozen' | 'active' | 'nonexist'

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

/** acc_state_uninit$00 acc_state_frozen$01 acc_state_active$10 acc_state_nonexist$11 = AccountStatus; */
export const readAccountStatus = (r: CellReader): AccountStatus => STATUSES[r.readUint(2) as 0 | 1 | 2 | 3]

export const writeAccountStatus = (w: CellWriter, status: AccountStatus): void => {
  w.writeUint(STATUSES.indexOf(status), 2)
}
