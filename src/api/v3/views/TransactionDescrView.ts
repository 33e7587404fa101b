import { type Static, Type } from 'typebox'
import { readWhole } from '../../../codec/cell/wholeCell.ts'
import { unpackDescription } from '../../../codec/stored/packDescription.ts'
import { readTransactionDescr, type TransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import type { SplitMergeInfo, StoragePhase } from '../../../codec/tlb/transactionPhases.ts'
import {
  ActionPhaseView,
  BouncePhaseView,
  ComputePhaseView,
  CreditPhaseView,
  StoragePhaseView,
  toActionPhaseView,
  toBouncePhaseView,
  toComputePhaseView,
  toCreditPhaseView,
  toStoragePhaseView,
} from './phaseViews.ts'
import { hashText } from './scalars.ts'

const SplitInfoView = Type.Object(
  {
    cur_shard_pfx_len: Type.Integer(),
    acc_split_depth: Type.Integer(),
    this_addr: Type.String(),
    sibling_addr: Type.String(),
  },
  { $id: 'SplitInfo' },
)

/** Its type decides which members there are. */
export const TransactionDescrView = Type.Object(
  {
    type: Type.Union([
      Type.Literal('ord'),
      Type.Literal('storage'),
      Type.Literal('tick_tock'),
      Type.Literal('split_prepare'),
      Type.Literal('split_install'),
      Type.Literal('merge_prepare'),
      Type.Literal('merge_install'),
    ]),
    aborted: Type.Optional(Type.Boolean()),
    destroyed: Type.Optional(Type.Boolean()),
    credit_first: Type.Optional(Type.Boolean()),
    is_tock: Type.Optional(Type.Boolean()),
    installed: Type.Optional(Type.Boolean()),
    storage_ph: Type.Optional(StoragePhaseView),
    credit_ph: Type.Optional(CreditPhaseView),
    compute_ph: Type.Optional(ComputePhaseView),
    action: Type.Optional(ActionPhaseView),
    bounce: Type.Optional(BouncePhaseView),
    split_info: Type.Optional(SplitInfoView),
  },
  { $id: 'TransactionDescr' },
)

type TransactionDescrView = Static<typeof TransactionDescrView>

/** From the cell as it is kept. */
export const toTransactionDescrView = (packed: Uint8Array): TransactionDescrView =>
  present(readWhole(unpackDescription(packed), readTransactionDescr, 'The description of a transaction'))

const present = (descr: TransactionDescr): TransactionDescrView => {
  switch (descr.kind) {
    case 'ord':
      // Nearly all are of this kind.
      return {
        type: descr.kind,
        aborted: descr.aborted,
        destroyed: descr.destroyed,
        credit_first: descr.creditFirst,
        storage_ph: descr.storagePhase && toStoragePhaseView(descr.storagePhase),
        credit_ph: descr.creditPhase && toCreditPhaseView(descr.creditPhase),
        compute_ph: toComputePhaseView(descr.computePhase),
        action: descr.action && toActionPhaseView(descr.action),
        bounce: descr.bounce && toBouncePhaseView(descr.bounce),
      } as TransactionDescrView
    case 'storage':
      return { type: descr.kind, ...presentStorage(descr.storagePhase) }
    case 'tick_tock':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        is_tock: descr.isTock,
        ...presentStorage(descr.storagePhase),
        ...presentWork(descr),
      }
    case 'split_prepare':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        ...presentStorage(descr.storagePhase),
        ...presentWork(descr),
        ...presentSplit(descr.splitInfo),
      }
    case 'split_install':
      return { type: descr.kind, installed: descr.installed, ...presentSplit(descr.splitInfo) }
    case 'merge_prepare':
      return {
        type: descr.kind,
        aborted: descr.aborted,
        ...presentStorage(descr.storagePhase),
        ...presentSplit(descr.splitInfo),
      }
    case 'merge_install':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        ...presentStorage(descr.storagePhase),
        ...(descr.creditPhase && { credit_ph: toCreditPhaseView(descr.creditPhase) }),
        ...presentWork(descr),
        ...presentSplit(descr.splitInfo),
      }
  }
}

type WithWork = Extract<TransactionDescr, { readonly computePhase: unknown }>

const presentEnd = ({ aborted, destroyed }: WithWork) => ({ aborted, destroyed })

const presentWork = ({ computePhase, action }: WithWork) => ({
  compute_ph: toComputePhaseView(computePhase),
  ...(action && { action: toActionPhaseView(action) }),
})

const presentStorage = (phase: StoragePhase | undefined) =>
  phase === undefined ? {} : { storage_ph: toStoragePhaseView(phase) }

const presentSplit = (info: SplitMergeInfo) => ({
  split_info: {
    cur_shard_pfx_len: info.curShardPfxLen,
    acc_split_depth: info.accSplitDepth,
    this_addr: hashText(info.thisAddr),
    sibling_addr: hashText(info.siblingAddr),
  },
})
