import type { CellReader } from '../../../codec/cell/CellReader.ts'
import type { DecodedValue } from '../DecodedValue.ts'
import { type Frame, NO_FRAME, type Reader, type ReadSession } from './Reader.ts'

/** One step of a constructor. It puts what it read into `shown`, and says whether reading may go on. */
export type Step = (r: CellReader, session: ReadSession, frame: Frame, shown: Record<string, DecodedValue>) => boolean

/** Runs the steps of a constructor one after another. */
export const constructorReader = (name: string, steps: readonly Step[], slots: number): Reader => {
  const count = steps.length
  return (r, session) => {
    const shown: Record<string, DecodedValue> = name === '' ? {} : { '@type': name }
    const frame = slots === 0 ? NO_FRAME : new Array<number>(slots).fill(0)
    for (let k = 0; k < count; k++) {
      if (!steps[k]!(r, session, frame, shown)) return undefined
    }
    return shown
  }
}

export const fieldStep =
  (name: string, read: Reader): Step =>
  (r, session, frame, shown) => {
    const value = read(r, session, frame)
    if (value === undefined) return false
    shown[name] = value
    return true
  }

/** A field that later parts look back at. */
export const keptFieldStep =
  (name: string, read: Reader, slot: number): Step =>
  (r, session, frame, shown) => {
    const value = read(r, session, frame)
    if (value === undefined) return false
    shown[name] = value
    frame[slot] = Number(value)
    return true
  }

export const conditionalStep =
  (isThere: (frame: Frame) => boolean, step: Step): Step =>
  (r, session, frame, shown) =>
    isThere(frame) ? step(r, session, frame, shown) : true

export const constraintStep =
  (holds: (frame: Frame) => boolean): Step =>
  (_r, _session, frame) =>
    holds(frame)
