import type { Cell } from '../../codec/cell/Cell.ts'

/** A list of actions as it stands in c5: the newest, and the list before it. */
type Queued = { readonly before: Queued | undefined; readonly position: number; readonly step: number }

const MAX_LIST = 1_000

/** Which step queued which action. Lists are remembered by their cell, since a failed attempt puts an older one back. */
export class ActionQueue {
  private readonly lists = new WeakMap<Cell, Queued>()

  /** A step has changed c5; the position of its action where it queued one. */
  note(before: Cell, after: Cell, step: number): number | undefined {
    if (this.lists.has(after) || after.refCount === 0) return undefined
    const older = this.lists.get(before)
    if (after.ref(0).equals(before)) {
      const position = older === undefined ? 0 : older.position + 1
      this.lists.set(after, { before: older, position, step })
      return position
    }
    this.lists.set(after, listOf(after, step)!)
    return undefined
  }

  /** The steps that queued the actions of a list, oldest first. */
  stepsOf(list: Cell): number[] {
    const steps: number[] = []
    for (let at = this.lists.get(list); at !== undefined && steps.length < MAX_LIST; at = at.before) steps.push(at.step)
    return steps.reverse()
  }
}

/** A list that the code put together for itself, all of it at once. */
const listOf = (list: Cell, step: number): Queued | undefined => {
  let length = 0
  for (let at = list; at.refCount > 0 && length < MAX_LIST; at = at.ref(0)) length++
  let queued: Queued | undefined
  for (let position = 0; position < length; position++) queued = { before: queued, position, step }
  return queued
}
