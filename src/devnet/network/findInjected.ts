import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { bodyCell, readMessage } from '../../codec/tlb/Message.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { addressesEqual } from '../../primitives/Address.ts'
import type { InjectedMessage } from '../collate/StepOrder.ts'
import type { MasterStep } from '../store/ChainStore.ts'

/** The hash of the message as which an injected one arrived in a step; `undefined` where it has not arrived yet. */
export const findInjected = (
  { master, shardBlocks }: MasterStep,
  injected: InjectedMessage,
): Uint8Array | undefined => {
  for (const { info, root } of [...shardBlocks, master]) {
    if (info.workchain !== injected.destination.workchain) continue
    const accountBlock = openAccountBlocks(openBlockExtra(openBlock(root).extra)).find(injected.destination.hash)
    for (const [, cell] of accountBlock?.transactions.entries() ?? []) {
      const { inMsg } = readTransaction(openCell(cell))
      if (inMsg !== undefined && isSame(inMsg, injected)) return inMsg.hash()
    }
  }
  return undefined
}

const isSame = (cell: Cell, { source, value, body }: InjectedMessage): boolean => {
  const { info, body: found } = readMessage(openCell(cell))
  return (
    info.kind === 'internal' &&
    info.source.kind === 'std' &&
    addressesEqual(info.source, source) &&
    info.value.grams === value.grams &&
    bodyCell(found).equals(body)
  )
}
