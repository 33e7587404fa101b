import type { CellReader } from '../../../codec/cell/CellReader.ts'
import { type DecodedValue, scalarLength } from '../DecodedValue.ts'
import { type Frame, NO_FRAME, type Reader, type ReadSession } from './Reader.ts'

/** One step of a constructor. It puts what it read into `shown`, and says whether reading may go on. */
export type Step = (r: CellReader, session: ReadSession, frame: Frame, shown: Record<string, DecodedValue>) => boolean

/** Runs the steps of a constructor one after another. */
export const constructorReader = (name: string, steps: readonly Step[], slots: number): Reader => {
  const count = steps.length
  const ownText = name === '' ? 2 : JSON.stringify({ '@type': name }).length
  return (r, session) => {
    if (!session.takeText(ownText)) return undefined
    const shown: Record<string, DecodedValue> = name === '' ? {} : { '@type': name }
    const frame = slots === 0 ? NO_FRAME : new Array<number>(slots).fill(0)
    for (let k = 0; k < count; k++) {
      if (!steps[k]!(r, session, frame, shown)) return undefined
    }
    return shown
  }
}

export const fieldStep = (name: string, read: Reader): Step => {
  const ownText = nameLength(name)
  return (r, session, frame, shown) => {
    const value = read(r, session, frame)
    if (value === undefined) return false
    shown[name] = value
    return session.takeText(ownText + scalarLength(value))
  }
}

/** A field that later parts look back at. */
export const keptFieldStep = (name: string, read: Reader, slot: number): Step => {
  const readField = fieldStep(name, read)
  return (r, session, frame, shown) => {
    if (!readField(r, session, frame, shown)) return false
    frame[slot] = Number(shown[name])
    return true
  }
}

/** With its quotes, its colon and the comma before it. */
const nameLength = (name: string): number => JSON.stringify(name).length + 2

export const conditionalStep =
  (isThere: (frame: Frame) => boolean, step: Step): Step =>
  (r, session, frame, shown) =>
    isThere(frame) ? step(r, session, frame, shown) : true

export const constraintStep =
  (holds: (frame: Frame) => boolean): Step =>
  (_r, _session, frame) =>
    holds(frame)
