import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { type OutAction, readOutAction, writeOutAction } from './OutAction.ts'

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
