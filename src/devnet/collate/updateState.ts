import { AugDict } from '../../codec/cell/AugDict.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { dispatchQueueType, type ProcessedInfo, writeOutMsgQueueInfo } from '../../codec/tlb/OutMsgQueueInfo.ts'
import type { ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { isAbsent } from './AccountBook.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { listQueue } from './QueuedMessage.ts'

/** The accounts of a state after a block. One that is gone, or never came to be, has no entry. */
export const updateAccounts = (draft: BlockDraft): ShardAccounts => {
  let { accounts } = draft.context.base
  for (const { hash, current } of draft.accounts.list()) {
    accounts = isAbsent(current) ? accounts.delete(hash) : accounts.set(hash, current)
  }
  return accounts
}

/** The cell of the OutMsgQueueInfo after a block. */
export const updateQueueInfo = ({ context, queueChanges }: BlockDraft, procInfo: ProcessedInfo): Cell => {
  const { base, rules } = context
  let { outQueue } = base
  let outQueueSize = listQueue(outQueue).length
  for (const change of queueChanges) {
    if (change.kind === 'add') {
      outQueue = outQueue.set(change.key, { enqueuedLt: change.enqueuedLt, outMsg: change.envelope })
      outQueueSize++
    } else {
      outQueue = outQueue.delete(change.key)
      outQueueSize--
    }
  }
  const extra = rules.hasQueueSize ? { dispatchQueue: AugDict.of(dispatchQueueType), outQueueSize } : undefined
  return writeWhole(writeOutMsgQueueInfo, { outQueue, procInfo, extra })
}
