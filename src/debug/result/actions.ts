import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { bodyHash, type MessageRelaxed, readMessage, readMessageRelaxed } from '../../codec/tlb/Message.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import { type OutAction, readOutList } from '../../codec/tlb/OutList.ts'
import type { ActionPhase } from '../../codec/tlb/transactionPhases.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'

/** An action that the contract queued, and what became of it. */
export type QueuedAction = {
  readonly kind: 'send' | 'reserve' | 'set_code' | 'change_library'
  readonly mode: number | undefined
  /** Of the message, as the contract wrote it, or the reserved amount. */
  readonly value: bigint | undefined
  readonly destination: string | undefined
  /** The message that came of it. */
  readonly message: Cell | undefined
  readonly codeHash: Uint8Array | undefined
  /** Present on the action at which the phase ended. */
  readonly resultCode: number | undefined
  /** Whether it was passed over: its mode says to ignore errors, or the phase failed. */
  readonly isSkipped: boolean
  /** The instruction that queued it. */
  readonly step: number | undefined
}

/** The actions in order, each with the message that it made. */
export const listActions = (
  list: Cell | undefined,
  phase: ActionPhase | undefined,
  sent: readonly Cell[],
  steps: readonly number[] | undefined,
): QueuedAction[] => {
  const actions = list === undefined ? [] : readActions(list)
  const isFailed = phase === undefined || !phase.success
  let next = 0
  return actions.map((action, at): QueuedAction => {
    const message = action.kind === 'sendMessage' && !isFailed ? findSent(action.message, sent[next]) : undefined
    if (message !== undefined) next++
    return {
      ...describeAction(action),
      message,
      resultCode: phase !== undefined && !phase.success && failedAction(phase) === at ? phase.resultCode : undefined,
      isSkipped: isFailed || (action.kind === 'sendMessage' && message === undefined),
      step: steps?.[at],
    }
  })
}

/** The position of the action at which the phase failed: nodes leave a zero out. */
export const failedAction = ({ resultArg = 0 }: ActionPhase): number => resultArg

/** A list that is malformed fails the phase; there is nothing to show of it. */
const readActions = (list: Cell): readonly OutAction[] => {
  try {
    return readOutList(openCell(list))
  } catch (error) {
    if (error instanceof CodedError) return []
    throw error
  }
}

type Described = Pick<QueuedAction, 'kind' | 'mode' | 'value' | 'destination' | 'codeHash'>

const NOTHING = { mode: undefined, value: undefined, destination: undefined, codeHash: undefined }

const describeAction = (action: OutAction): Described => {
  switch (action.kind) {
    case 'sendMessage': {
      const message = findRelaxed(action.message)
      const info = message?.info
      const to = info?.kind === 'internal' ? findStandardAddress(info.destination) : undefined
      return {
        ...NOTHING,
        kind: 'send',
        mode: action.mode,
        value: info?.kind === 'internal' ? info.value.grams : undefined,
        destination: to && formatUpperRawAddress(to),
      }
    }
    case 'reserve':
      return { ...NOTHING, kind: 'reserve', mode: action.mode, value: action.amount.grams }
    case 'setCode':
      return { ...NOTHING, kind: 'set_code', codeHash: action.code.hash() }
    case 'changeLibrary': {
      const { library } = action
      const hash = library.kind === 'hash' ? library.hash : library.library.hash()
      return { ...NOTHING, kind: 'change_library', mode: action.mode, codeHash: hash }
    }
  }
}

const findRelaxed = (cell: Cell): MessageRelaxed | undefined => {
  try {
    return readWhole(cell, readMessageRelaxed, 'A message')
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** The next message that was sent, where it is this one: an action whose error is ignored sends none. */
const findSent = (queued: Cell, sent: Cell | undefined): Cell | undefined => {
  const wanted = findRelaxed(queued)
  if (wanted === undefined || sent === undefined) return undefined
  const { info, body } = readWhole(sent, readMessage, 'A message')
  if (info.kind !== wanted.info.kind || !bytesEqual(bodyHash(body), bodyHash(wanted.body))) return undefined
  if (info.kind === 'internal' && wanted.info.kind === 'internal') {
    const [to, wantedTo] = [findStandardAddress(info.destination), findStandardAddress(wanted.info.destination)]
    if (to !== undefined && wantedTo !== undefined && !bytesEqual(to.hash, wantedTo.hash)) return undefined
  }
  return sent
}
