import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type AccStatusChange, readAccStatusChange, writeAccStatusChange } from './AccStatusChange.ts'
import { readMaybeCoins, writeMaybeCoins } from './maybe.ts'

export type StoragePhase = {
  readonly storageFeesCollected: bigint
  readonly storageFeesDue: bigint | undefined
  readonly statusChange: AccStatusChange
}

/** tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase; */
export const readStoragePhase = (r: CellReader): StoragePhase => ({
  storageFeesCollected: r.readCoins(),
  storageFeesDue: readMaybeCoins(r),
  statusChange: readAccStatusChange(r),
})

export const writeStoragePhase = (w: CellWriter, phase: StoragePhase): void => {
  w.writeCoins(phase.storageFeesCollected)
  writeMaybeCoins(w, phase.storageFeesDue)
  writeAccStatusChange(w, phase.statusChange)
}
