import { type Cell, wholeSlice } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import { writeMessage } from '../../codec/tlb/Message.ts'
import type { Address } from '../../primitives/Address.ts'
import type { BlockDraft } from './BlockDraft.ts'
import { deliverSpecial } from './deliver.ts'
import type { InjectedMessage } from './StepOrder.ts'

/** The cell of an internal message that is made by the network itself. */
export const specialMessage = (
  message: Pick<InjectedMessage, 'source' | 'destination' | 'value' | 'bounce'> & Partial<InjectedMessage>,
  createdLt: bigint,
  createdAt: number,
): Cell => {
  const { stateInit, body } = message
  return writeWhole(writeMessage, {
    info: {
      kind: 'internal',
      ihrDisabled: true,
      bounce: message.bounce,
      bounced: false,
      source: toMsgAddress(message.source),
      destination: toMsgAddress(message.destination),
      value: message.value,
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt,
      createdAt,
    },
    init: stateInit && { inRef: true, value: stateInit },
    body: body === undefined || (body.bits === 0 && body.refCount === 0) ? wholeSlice(emptyCell) : body,
  })
}

const toMsgAddress = ({ workchain, hash }: Address) => ({ kind: 'std', workchain, hash, anycast: undefined }) as const

/** Delivers the messages that were put in by hand. Each has an lt of its own, so that no two are the same message. */
export const injectMessages = async (draft: BlockDraft, injected: readonly InjectedMessage[]): Promise<Cell[]> => {
  const { startLt, run } = draft.context
  const hashes: Cell[] = []
  for (const [at, message] of injected.entries()) {
    const cell = specialMessage(message, startLt - BigInt(injected.length - 1 - at), run.now)
    await deliverSpecial(draft, message.destination.hash, cell, message.value ?? ZERO_CURRENCY)
    hashes.push(cell)
  }
  return hashes
}
