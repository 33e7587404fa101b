import type { CellReader } from '../../../codec/cell/CellReader.ts'
import {
  type DecodedValue,
  type Frame,
  NO_FRAME,
  type Reader,
  type ReadSession,
  scalarLength,
} from '../DecodedValue.ts'
import type { Tag } from '../definitions.ts'
import { boolReader } from './scalars.ts'

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

/** A constructor: what stands before it, and how to read what comes behind. */
export type Alternative = { readonly tag: Tag | undefined; readonly isEmpty: boolean; readonly read: Reader }

/** Reads a type that is one of several constructors. One without a tag is taken where no tag fits. */
export const alternativesReader = (alternatives: readonly Alternative[]): Reader => {
  const [only] = alternatives
  if (alternatives.length === 1 && only !== undefined) return behindTag(only)
  if (isBoolean(alternatives)) return boolReader
  const tagged = alternatives.filter(({ tag }) => tag !== undefined)
  const untagged = alternatives.find(({ tag }) => tag === undefined)?.read
  const bits = tagged[0]?.tag?.bits ?? 0
  const sameWidth = tagged.every(({ tag }) => tag?.bits === bits)
  const hasTwins = new Set(tagged.map(({ tag }) => `${tag?.bits}:${tag?.value}`)).size < tagged.length
  if (sameWidth && !hasTwins) return byTable(tagged, bits, untagged)
  return hasTwins ? byTrial(tagged, untagged) : bySearch(tagged, untagged)
}

// Two constructors that say no more than a bit are a bit, whatever they are called.
const isBoolean = (alternatives: readonly Alternative[]): boolean =>
  alternatives.length === 2 &&
  alternatives.every(({ tag, isEmpty }, at) => tag?.bits === 1 && tag.value === at && isEmpty)

const behindTag = ({ tag, read }: Alternative): Reader => {
  if (tag === undefined) return read
  return (r, session) => (takeTag(r, tag) ? read(r, session, NO_FRAME) : undefined)
}

const byTable = (tagged: readonly Alternative[], bits: number, untagged: Reader | undefined): Reader => {
  const table = new Map(tagged.map(({ tag, read }) => [tag?.value, read]))
  return (r, session) => {
    const read = r.remainingBits < bits ? undefined : table.get(r.peekUint(bits))
    if (read === undefined) return untagged?.(r, session, NO_FRAME)
    r.skipBits(bits)
    return read(r, session, NO_FRAME)
  }
}

const bySearch = (tagged: readonly Alternative[], untagged: Reader | undefined): Reader => {
  return (r, session) => {
    for (const { tag, read } of tagged) {
      if (tag !== undefined && takeTag(r, tag)) return read(r, session, NO_FRAME)
    }
    return untagged?.(r, session, NO_FRAME)
  }
}

/** Where tags are equal, the first constructor that can be read is the one. */
const byTrial = (tagged: readonly Alternative[], untagged: Reader | undefined): Reader => {
  const readers = tagged.map(behindTag)
  return (r, session) => {
    for (const read of readers) {
      // A cursor does not go back, so a trial runs on a second one. Trials may lie within trials: each is paid for.
      const trial = r.clone()
      const { text } = session
      const value = session.takeSteps(1) ? read(trial, session, NO_FRAME) : undefined
      if (value === undefined) {
        session.text = text
        continue
      }
      r.skipBits(r.remainingBits - trial.remainingBits)
      while (r.remainingRefs > trial.remainingRefs) r.skipRef()
      return value
    }
    return untagged?.(r, session, NO_FRAME)
  }
}

const takeTag = (r: CellReader, { value, bits }: Tag): boolean => {
  if (r.remainingBits < bits || r.peekUint(bits) !== value) return false
  r.skipBits(bits)
  return true
}
