import type { Cell } from '../../codec/cell/Cell.ts'
import { openRaw } from '../../codec/cell/CellReader.ts'
import { CellError, PrunedBranchError } from '../../codec/cell/errors.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { type OutAction, readOutAction } from '../../codec/tlb/OutList.ts'
import type { ActionPhase } from '../../codec/tlb/transactionPhases.ts'
import { VmFault } from '../machine/faults.ts'
import { ActionState, BOUNCE_ON_FAIL, INVALID_ACTION, NOT_ENOUGH_EXTRA, NOT_ENOUGH_GRAMS } from './ActionState.ts'
import { addCurrency, addExtra, clampExtra, isZero, subtractExtra } from './amounts.ts'
import { MAX_MERKLE_DEPTH, measureTrees } from './cellTrees.ts'
import {
  deleteLibrary,
  findLibrary,
  hasShortestAmounts,
  isCurrencyDict,
  MAX_CHECKED_CELLS,
  setLibrary,
} from './dictionaries.ts'
import { isRelaxedMessage } from './relaxedMessage.ts'
import { sendMessage } from './sendMessage.ts'
import { exceedsStateLimits } from './stateLimits.ts'
import type { TransactionState } from './TransactionState.ts'

const MAX_ACTIONS = 255
const SEND_MESSAGE = 0x0ec3c86d

const INVALID_LIST = 32
const TOO_MANY_ACTIONS = 33
const LIBRARY_UNKNOWN = 41
const LIBRARY_DICTIONARY_ERROR = 42
const LIBRARY_TOO_LARGE = 43
const LIBRARY_CHANGE_NOT_ALLOWED = 46
const ACCOUNT_TOO_LARGE = 50

/** Carries out what the contract asked for, where it ran with success. */
export const runActionPhase = (tx: TransactionState): void => {
  const { committed } = tx.run!
  const actions = new ActionState(tx)
  const valueBefore = tx.messageBalance
  const isDone = carryOut(tx, actions, committed!.actions, committed!.data, valueBefore)
  tx.actionFine = actions.fine
  tx.actionPhase = describePhase(actions, committed!.actions, isDone)
}

const describePhase = (actions: ActionState, list: Cell, success: boolean): ActionPhase => ({
  success,
  valid: actions.isValid,
  noFunds: actions.noFunds,
  statusChange: success && actions.deletesAccount ? 'deleted' : 'unchanged',
  totalFwdFees: actions.totalForwardFees === 0n ? undefined : actions.totalForwardFees,
  totalActionFees: actions.totalActionFees === 0n ? undefined : actions.totalActionFees,
  resultCode: actions.resultCode,
  resultArg: actions.resultArg === 0 ? undefined : actions.resultArg,
  totalActions: actions.totalActions,
  specActions: actions.specialActions,
  skippedActions: actions.skippedActions,
  msgsCreated: actions.messages.length,
  actionListHash: list.hash(),
  totalMsgSize: { cells: BigInt(actions.messageCells), bits: BigInt(actions.messageBits) },
})

/** True where all actions succeeded. */
const carryOut = (
  tx: TransactionState,
  actions: ActionState,
  list: Cell,
  newData: Cell,
  valueBefore: CurrencyCollection,
): boolean => {
  const { version } = tx
  const nodes = listNodes(actions, list)
  if (nodes === undefined) return false
  const parsed = parseNodes(tx, actions, nodes)
  if (parsed === undefined) return false
  const before = { code: tx.code, data: tx.data, library: tx.library }
  const isTooLarge = (): boolean => {
    if (tx.isSpecial || !exceedsStateLimits(tx, tx.config.limits.maxAccountPublicLibraries)) return false
    Object.assign(tx, before)
    actions.resultCode = ACCOUNT_TOO_LARGE
    tx.bounceRequested = true
    return true
  }
  for (const [index, action] of parsed.entries()) {
    if (action === undefined) continue
    actions.resultArg = index
    actions.bouncesOnFail = false
    const code = tryAction(tx, actions, action)
    if (code === 0) continue
    actions.resultCode = code
    actions.noFunds = code === NOT_ENOUGH_GRAMS || code === NOT_ENOUGH_EXTRA
    isTooLarge()
    if (version >= 14) tx.messageBalance = valueBefore
    takeFine(tx, actions)
    if (actions.bouncesOnFail) tx.bounceRequested = true
    return false
  }
  if (version >= 4) actions.totalActionFees += actions.fine
  tx.endLt = actions.endLt
  if (actions.newCode !== undefined) tx.code = actions.newCode
  tx.data = newData
  if (isTooLarge()) {
    if (version >= 14) tx.messageBalance = valueBefore
    if (version >= 10) {
      tx.endLt = tx.startLt + 1n
      takeFine(tx, actions)
    }
    return false
  }
  finishActions(tx, actions)
  return true
}

const takeFine = (tx: TransactionState, actions: ActionState): void => {
  if (tx.version < 4) return
  const wanted = actions.fine + actions.failFine
  actions.fine = wanted < tx.balance.grams ? wanted : tx.balance.grams
  actions.totalActionFees = actions.fine
  tx.balance = { ...tx.balance, grams: tx.balance.grams - actions.fine }
  tx.addFee(actions.fine)
}

const finishActions = (tx: TransactionState, actions: ActionState): void => {
  actions.resultArg = 0
  const balance = addCurrency(actions.remaining, actions.reserved)
  if (actions.deletesAccount) {
    tx.status = isZero(balance) ? 'deleted' : 'uninit'
    tx.wasDeleted = true
  }
  tx.outMessages.push(...actions.messages)
  tx.addFee(actions.totalActionFees)
  tx.balance = balance
}

/** The nodes of the list, oldest first. */
const listNodes = (actions: ActionState, list: Cell): Cell[] | undefined => {
  const nodes: Cell[] = []
  for (let cell = list; ; cell = cell.ref(0)) {
    if (!cell.isExotic && cell.bits === 0 && cell.refCount === 0) break
    if (cell.isExotic || cell.refCount === 0) {
      actions.resultCode = INVALID_LIST
      actions.resultArg = nodes.length
      return undefined
    }
    nodes.push(cell)
    if (nodes.length > MAX_ACTIONS) {
      actions.resultCode = TOO_MANY_ACTIONS
      actions.resultArg = nodes.length
      return undefined
    }
  }
  actions.totalActions = nodes.length
  return nodes.reverse()
}

/** The actions of the list, `undefined` for those that are skipped. All are looked at before any is carried out. */
const parseNodes = (
  tx: TransactionState,
  actions: ActionState,
  nodes: readonly Cell[],
): (OutAction | undefined)[] | undefined => {
  const parsed: (OutAction | undefined)[] = []
  for (const [index, node] of nodes.entries()) {
    actions.resultArg = index
    const action = parseNode(node)
    const mode = action === undefined && tx.version >= 8 ? modeOfInvalid(node) : 0
    if (action === undefined && (mode & 2) === 0) {
      if ((mode & 16) !== 0) tx.bounceRequested = true
      actions.resultCode = INVALID_ACTION
      return undefined
    }
    if (action === undefined) actions.skippedActions++
    parsed.push(action)
  }
  actions.isValid = true
  return parsed
}

const parseNode = (node: Cell): OutAction | undefined => {
  try {
    const r = openRaw(node)
    r.skipRef()
    const action = readOutAction(r)
    r.expectEnd('An action')
    if (action.kind === 'sendMessage' && !isRelaxedMessage(action.message)) return undefined
    if (action.kind !== 'reserve') return action
    if (!isCurrencyDict(action.amount.extra, MAX_CHECKED_CELLS - 1)) return undefined
    if (isShortest(node, action.amount)) return action
    // It is found out when the action is tried, by the same code as an unknown mode.
    return { ...action, mode: (action.mode & BOUNCE_ON_FAIL) | UNKNOWN_MODE }
  } catch (error) {
    if (error instanceof CellError || error instanceof PrunedBranchError) return undefined
    throw error
  }
}

/** A mode that no action has. */
const UNKNOWN_MODE = 32

/** Whether the amount of a reserve action is written as short as it can be, and no currency of it is zero. */
const isShortest = ({ bits }: Cell, { grams, extra }: CurrencyCollection): boolean => {
  const bytes = Math.ceil(grams.toString(2).length / 8)
  return hasShortestAmounts(extra) && bits === 32 + 8 + 4 + 8 * (grams === 0n ? 0 : bytes) + 1
}

/** The mode of a message that is malformed. */
const modeOfInvalid = (node: Cell): number => {
  if (node.isExotic || node.bits < 40) return 0
  const r = openRaw(node)
  return r.readUint(32) === SEND_MESSAGE ? r.readUint(8) : 0
}

const tryAction = (tx: TransactionState, actions: ActionState, action: OutAction): number => {
  switch (action.kind) {
    case 'setCode':
      actions.newCode = action.code
      actions.specialActions++
      return 0
    case 'sendMessage':
      return sendMessage(tx, actions, action.mode, action.message)
    case 'reserve':
      return reserve(tx, actions, action.mode, action.amount)
    case 'changeLibrary':
      return changeLibrary(tx, actions, action)
  }
}

const ALL_BUT = 1
const AT_MOST = 2
const ADD_ORIGINAL = 4
const NEGATE = 8

const reserve = (tx: TransactionState, actions: ActionState, given: number, amount: CurrencyCollection): number => {
  const { version } = tx
  let mode = given
  if ((mode & BOUNCE_ON_FAIL) !== 0 && version >= 4) {
    mode &= ~BOUNCE_ON_FAIL
    actions.bouncesOnFail = true
  }
  if ((mode & ~15) !== 0) return INVALID_ACTION
  const onlyGrams = version >= 10
  if (onlyGrams && !amount.extra.isEmpty) return INVALID_ACTION
  let { grams, extra } = amount
  const original = tx.originalBalance
  if ((mode & ADD_ORIGINAL) !== 0) {
    // Fees may have taken more than there was: such a balance cannot be reckoned with.
    if (!onlyGrams && original.grams < 0n) return INVALID_ACTION
    if ((mode & NEGATE) !== 0) {
      grams = original.grams - grams
      if (!onlyGrams) {
        const rest = subtractExtra(original.extra, extra)
        if (rest === undefined) return INVALID_ACTION
        extra = rest
      }
    } else {
      grams += original.grams
      if (!onlyGrams) extra = addExtra(extra, original.extra)
    }
  } else if ((mode & NEGATE) !== 0) return INVALID_ACTION
  if (grams < 0n) return INVALID_ACTION
  const { remaining } = actions
  if ((mode & AT_MOST) !== 0) {
    if (remaining.grams < grams) grams = remaining.grams
    if (version >= 9) extra = clampExtra(extra, remaining.extra)
  }
  if (grams > remaining.grams) return NOT_ENOUGH_GRAMS
  const restExtra = subtractExtra(remaining.extra, extra)
  if (restExtra === undefined) return NOT_ENOUGH_EXTRA
  let rest: CurrencyCollection = { grams: remaining.grams - grams, extra: restExtra }
  let kept: CurrencyCollection = { grams, extra }
  if ((mode & ALL_BUT) !== 0) {
    const swapped = { rest: kept, kept: rest }
    rest = onlyGrams ? { grams: swapped.rest.grams, extra: restExtra } : swapped.rest
    kept = onlyGrams ? { grams: swapped.kept.grams, extra } : swapped.kept
  }
  actions.remaining = rest
  actions.reserved = addCurrency(actions.reserved, kept)
  actions.specialActions++
  return 0
}

const PRIVATE = 1
const PUBLIC = 2

type LibraryAction = Extract<OutAction, { readonly kind: 'changeLibrary' }>

const changeLibrary = (tx: TransactionState, actions: ActionState, action: LibraryAction): number => {
  let { mode } = action
  if ((mode & BOUNCE_ON_FAIL) !== 0) {
    if (tx.version < 4) return INVALID_ACTION
    actions.bouncesOnFail = true
    mode &= ~BOUNCE_ON_FAIL
  }
  if (mode > PUBLIC) return INVALID_ACTION
  if (tx.version >= 15 && (mode === PRIVATE || !tx.isSpecial)) return LIBRARY_CHANGE_NOT_ALLOWED
  const given = action.library.kind === 'cell' ? action.library.library : undefined
  const hash = action.library.kind === 'cell' ? action.library.library.hash() : action.library.hash
  try {
    if (mode === 0) {
      tx.library = deleteLibrary(tx.library, hash)
      actions.specialActions++
      return 0
    }
    const isPublic = mode === PUBLIC
    const known = findLibrary(tx.library, hash)
    const found = known?.root.hasHash(hash) === true ? known.root : given
    if (known !== undefined && found === known.root && known.isPublic === isPublic) {
      actions.specialActions++
      return 0
    }
    if (found === undefined) return LIBRARY_UNKNOWN
    const size = measureTrees([found])
    if (size.cells > tx.config.limits.maxLibraryCells || size.merkleDepth > MAX_MERKLE_DEPTH) return LIBRARY_TOO_LARGE
    tx.library = setLibrary(tx.library, hash, { isPublic, root: found })
  } catch (error) {
    if (error instanceof VmFault) return LIBRARY_DICTIONARY_ERROR
    throw error
  }
  actions.specialActions++
  return 0
}
