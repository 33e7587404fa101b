import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { readMaybe, writeMaybe } from './scalars.ts'
import {
  type ActionPhase,
  readActionPhase,
  readBouncePhase,
  readComputePhase,
  readCreditPhase,
  readSplitMergeInfo,
  readStoragePhase,
  type SplitMergeInfo,
  type StoragePhase,
  writeActionPhase,
  writeBouncePhase,
  writeComputePhase,
  writeCreditPhase,
  writeSplitMergeInfo,
  writeStoragePhase,
} from './transactionPhases.ts'

export type StorageDescr = { readonly kind: 'storage'; readonly storagePhase: StoragePhase }

export type SplitInstallDescr = {
  readonly kind: 'split_install'
  readonly splitInfo: SplitMergeInfo
  readonly prepareTransaction: Cell
  readonly installed: boolean
}

export type MergePrepareDescr = {
  readonly kind: 'merge_prepare'
  readonly splitInfo: SplitMergeInfo
  readonly storagePhase: StoragePhase
  readonly aborted: boolean
}

export type TransactionDescr =
  | OrdinaryDescr
  | StorageDescr
  | TickTockDescr
  | SplitPrepareDescr
  | SplitInstallDescr
  | MergePrepareDescr
  | MergeInstallDescr

const readAction = (r: CellReader): ActionPhase | undefined =>
  r.readBit() ? readWholeRef(r, readActionPhase, 'An action phase') : undefined

const writeAction = (w: CellWriter, action: ActionPhase | undefined): void => {
  w.writeMaybeRef(action === undefined ? undefined : writeWhole(writeActionPhase, action))
}

/** trans_ord$0000 credit_first:Bool storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool bounce:(Maybe TrBouncePhase) destroyed:Bool */
const readOrdinary = (r: CellReader) => ({
  kind: 'ord' as const,
  creditFirst: r.readBit(),
  storagePhase: readMaybe(r, readStoragePhase),
  creditPhase: readMaybe(r, readCreditPhase),
  computePhase: readComputePhase(r),
  action: readAction(r),
  aborted: r.readBit(),
  bounce: readMaybe(r, readBouncePhase),
  destroyed: r.readBit(),
})

export type OrdinaryDescr = Readonly<ReturnType<typeof readOrdinary>>

/** trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool */
const readTickTock = (r: CellReader) => ({
  kind: 'tick_tock' as const,
  isTock: r.readBit(),
  storagePhase: readStoragePhase(r),
  computePhase: readComputePhase(r),
  action: readAction(r),
  aborted: r.readBit(),
  destroyed: r.readBit(),
})

export type TickTockDescr = Readonly<ReturnType<typeof readTickTock>>

/** trans_split_prepare$0100 split_info:SplitMergeInfo storage_ph:(Maybe TrStoragePhase) compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool */
const readSplitPrepare = (r: CellReader) => ({
  kind: 'split_prepare' as const,
  splitInfo: readSplitMergeInfo(r),
  storagePhase: readMaybe(r, readStoragePhase),
  computePhase: readComputePhase(r),
  action: readAction(r),
  aborted: r.readBit(),
  destroyed: r.readBit(),
})

export type SplitPrepareDescr = Readonly<ReturnType<typeof readSplitPrepare>>

/** trans_merge_install$0111 split_info:SplitMergeInfo prepare_transaction:^Transaction storage_ph:(Maybe TrStoragePhase) credit_ph:(Maybe TrCreditPhase) compute_ph:TrComputePhase action:(Maybe ^TrActionPhase) aborted:Bool destroyed:Bool */
const readMergeInstall = (r: CellReader) => ({
  kind: 'merge_install' as const,
  splitInfo: readSplitMergeInfo(r),
  prepareTransaction: r.readRefCell(),
  storagePhase: readMaybe(r, readStoragePhase),
  creditPhase: readMaybe(r, readCreditPhase),
  computePhase: readComputePhase(r),
  action: readAction(r),
  aborted: r.readBit(),
  destroyed: r.readBit(),
})

export type MergeInstallDescr = Readonly<ReturnType<typeof readMergeInstall>>

/**
 * The four above, and trans_storage$0001 storage_ph:TrStoragePhase,
 * trans_split_install$0101 split_info:SplitMergeInfo prepare_transaction:^Transaction installed:Bool,
 * trans_merge_prepare$0110 split_info:SplitMergeInfo storage_ph:TrStoragePhase aborted:Bool = TransactionDescr;
 */
export const readTransactionDescr = (r: CellReader): TransactionDescr => {
  const tag = r.readUint(3)
  if (tag === 0b001) return readTickTock(r)
  switch ((tag << 1) | (r.readBit() ? 1 : 0)) {
    case 0b0000:
      return readOrdinary(r)
    case 0b0001:
      return { kind: 'storage', storagePhase: readStoragePhase(r) }
    case 0b0100:
      return readSplitPrepare(r)
    case 0b0101:
      return {
        kind: 'split_install',
        splitInfo: readSplitMergeInfo(r),
        prepareTransaction: r.readRefCell(),
        installed: r.readBit(),
      }
    case 0b0110:
      return {
        kind: 'merge_prepare',
        splitInfo: readSplitMergeInfo(r),
        storagePhase: readStoragePhase(r),
        aborted: r.readBit(),
      }
    case 0b0111:
      return readMergeInstall(r)
    default:
      return failTag(tag)
  }
}

/** The storage fee in a description, 0 where it has no storage phase; what comes after it is not read. */
export const readStorageFee = (r: CellReader): bigint => {
  const tag = r.readUint(3)
  if (tag === 0b001) {
    r.skipBits(1)
    return r.readCoins()
  }
  switch ((tag << 1) | (r.readBit() ? 1 : 0)) {
    case 0b0000:
      r.skipBits(1)
      return readMaybeFee(r)
    case 0b0001:
      return r.readCoins()
    case 0b0100:
      readSplitMergeInfo(r)
      return readMaybeFee(r)
    case 0b0101:
      return 0n
    case 0b0110:
      readSplitMergeInfo(r)
      return r.readCoins()
    case 0b0111:
      readSplitMergeInfo(r)
      r.skipRef()
      return readMaybeFee(r)
    default:
      return failTag(tag)
  }
}

const readMaybeFee = (r: CellReader): bigint => (r.readBit() ? r.readCoins() : 0n)

const failTag = (tag: number): never => {
  throw new CellError(`The description of a transaction has an unknown tag that starts with $${tag.toString(2)}.`)
}

export const writeTransactionDescr = (w: CellWriter, descr: TransactionDescr): void => {
  switch (descr.kind) {
    case 'ord':
      w.writeUint(0b0000, 4).writeBit(descr.creditFirst)
      writeMaybe(w, writeStoragePhase, descr.storagePhase)
      writeMaybe(w, writeCreditPhase, descr.creditPhase)
      writeComputePhase(w, descr.computePhase)
      writeAction(w, descr.action)
      w.writeBit(descr.aborted)
      writeMaybe(w, writeBouncePhase, descr.bounce)
      w.writeBit(descr.destroyed)
      return
    case 'storage':
      w.writeUint(0b0001, 4)
      writeStoragePhase(w, descr.storagePhase)
      return
    case 'tick_tock':
      w.writeUint(0b001, 3).writeBit(descr.isTock)
      writeStoragePhase(w, descr.storagePhase)
      writeComputePhase(w, descr.computePhase)
      writeAction(w, descr.action)
      w.writeBit(descr.aborted).writeBit(descr.destroyed)
      return
    case 'split_prepare':
      w.writeUint(0b0100, 4)
      writeSplitMergeInfo(w, descr.splitInfo)
      writeMaybe(w, writeStoragePhase, descr.storagePhase)
      writeComputePhase(w, descr.computePhase)
      writeAction(w, descr.action)
      w.writeBit(descr.aborted).writeBit(descr.destroyed)
      return
    case 'split_install':
      w.writeUint(0b0101, 4)
      writeSplitMergeInfo(w, descr.splitInfo)
      w.writeRef(descr.prepareTransaction).writeBit(descr.installed)
      return
    case 'merge_prepare':
      w.writeUint(0b0110, 4)
      writeSplitMergeInfo(w, descr.splitInfo)
      writeStoragePhase(w, descr.storagePhase)
      w.writeBit(descr.aborted)
      return
    case 'merge_install':
      w.writeUint(0b0111, 4)
      writeSplitMergeInfo(w, descr.splitInfo)
      w.writeRef(descr.prepareTransaction)
      writeMaybe(w, writeStoragePhase, descr.storagePhase)
      writeMaybe(w, writeCreditPhase, descr.creditPhase)
      writeComputePhase(w, descr.computePhase)
      writeAction(w, descr.action)
      w.writeBit(descr.aborted).writeBit(descr.destroyed)
  }
}
