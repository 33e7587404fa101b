import type { Cell } from '../../codec/cell/Cell.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { TransactionState } from './TransactionState.ts'

/** Result codes that more than one kind of action ends with. */
export const INVALID_ACTION = 34
export const NOT_ENOUGH_GRAMS = 37
export const NOT_ENOUGH_EXTRA = 38

/** A mode of all actions but the change of code. */
export const BOUNCE_ON_FAIL = 16

/** The action phase in the making; nothing of it touches the account before all actions have succeeded. */
export class ActionState {
  resultCode = 0
  resultArg = 0
  isValid = false
  noFunds = false
  totalForwardFees = 0n
  totalActionFees = 0n
  totalActions = 0
  specialActions = 0
  skippedActions = 0
  messageBits = 0
  messageCells = 0
  /** Fines for work on messages that were not sent, and for that on sent ones should a later action fail. */
  fine = 0n
  failFine = 0n
  remaining: CurrencyCollection
  reserved: CurrencyCollection = ZERO_CURRENCY
  endLt: bigint
  newCode: Cell | undefined = undefined
  deletesAccount = false
  /** Whether the present action asks for a bounce where it fails. */
  bouncesOnFail = false
  readonly messages: Cell[] = []

  constructor(tx: TransactionState) {
    this.remaining = tx.balance
    this.endLt = tx.endLt
  }
}
