import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'

const SEND_MESSAGE = 0x0ec3c86d
const SET_CODE = 0xad4de08e
const RESERVE = 0x36e6b809
const CHANGE_LIBRARY = 0x26fa1dd4

/** A library by its hash, or the library itself. */
export type LibRef =
  | { readonly kind: 'hash'; readonly hash: Uint8Array }
  | { readonly kind: 'cell'; readonly library: Cell }

/** Actions that a contract requests for after its run. */
export type OutAction =
  /** The message is a MessageRelaxed. */
  | { readonly kind: 'sendMessage'; readonly mode: number; readonly message: Cell }
  | { readonly kind: 'setCode'; readonly code: Cell }
  | { readonly kind: 'reserve'; readonly mode: number; readonly amount: CurrencyCollection }
  | { readonly kind: 'changeLibrary'; readonly mode: number; readonly library: LibRef }

/**
 * action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any) = OutAction;
 * action_set_code#ad4de08e new_code:^Cell = OutAction;
 * action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection = OutAction;
 * action_change_library#26fa1dd4 mode:(## 7) libref:LibRef = OutAction;
 */
export const readOutAction = (r: CellReader): OutAction => {
  const tag = r.readUint(32)
  switch (tag) {
    case SEND_MESSAGE:
      return { kind: 'sendMessage', mode: r.readUint(8), message: r.readRefCell() }
    case SET_CODE:
      return { kind: 'setCode', code: r.readRefCell() }
    case RESERVE:
      return { kind: 'reserve', mode: r.readUint(8), amount: readCurrencyCollection(r) }
    case CHANGE_LIBRARY:
      return { kind: 'changeLibrary', mode: r.readUint(7), library: readLibRef(r) }
    default:
      throw new CellError(`Expected the tag of an action, but got #${tag.toString(16).padStart(8, '0')}.`)
  }
}

const writeOutAction = (w: CellWriter, action: OutAction): void => {
  switch (action.kind) {
    case 'sendMessage':
      w.writeUint(SEND_MESSAGE, 32).writeUint(action.mode, 8).writeRef(action.message)
      return
    case 'setCode':
      w.writeUint(SET_CODE, 32).writeRef(action.code)
      return
    case 'reserve':
      w.writeUint(RESERVE, 32).writeUint(action.mode, 8)
      writeCurrencyCollection(w, action.amount)
      return
    case 'changeLibrary':
      w.writeUint(CHANGE_LIBRARY, 32).writeUint(action.mode, 7)
      writeLibRef(w, action.library)
  }
}

/** libref_hash$0 lib_hash:bits256 = LibRef; libref_ref$1 library:^Cell = LibRef; */
const readLibRef = (r: CellReader): LibRef =>
  r.readBit() ? { kind: 'cell', library: r.readRefCell() } : { kind: 'hash', hash: r.readBytes(32) }

const writeLibRef = (w: CellWriter, lib: LibRef): void => {
  if (lib.kind === 'cell') w.writeBit(true).writeRef(lib.library)
  else w.writeBit(false).writeBytes(lib.hash)
}

const MAX_ACTIONS = 255

/** Actions in the order in which they were made, which is the order in which they are carried out. */
export type OutList = readonly OutAction[]

/**
 * out_list_empty$_ = OutList 0;
 * out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
 *
 * The length is stated nowhere: an empty cell ends the list. So the list takes all that the reader has.
 */
export const readOutList = (r: CellReader): OutList => {
  const actions: OutAction[] = []
  let list = r
  while (list.remainingBits > 0 || list.remainingRefs > 0) {
    if (actions.length === MAX_ACTIONS) failLength(`more than ${MAX_ACTIONS}`)
    const previous = list.readRef()
    actions.push(readOutAction(list))
    list.expectEnd('An action')
    list = previous
  }
  return actions.reverse()
}

export const writeOutList = (w: CellWriter, actions: OutList): void => {
  if (actions.length > MAX_ACTIONS) failLength(String(actions.length))
  if (actions.length === 0) return
  let previous = emptyCell
  for (const action of actions.slice(0, -1)) {
    const list = new CellWriter().writeRef(previous)
    writeOutAction(list, action)
    previous = list.toCell()
  }
  w.writeRef(previous)
  writeOutAction(w, actions[actions.length - 1]!)
}

const failLength = (length: string): never => {
  throw new CellError(`A list holds at most ${MAX_ACTIONS} actions, this one has ${length}.`)
}
