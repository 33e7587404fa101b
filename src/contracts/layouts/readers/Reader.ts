import type { CellReader } from '../../../codec/cell/CellReader.ts'
import type { DecodedValue } from '../DecodedValue.ts'
import type { DecodeSession } from '../DecodeSession.ts'

/**
 * Reads one value where the cursor stands. `undefined` says that something else stands there; it is returned rather than
 * thrown because bodies that fit none of several candidates are the common case.
 */
export type Reader = (r: CellReader, session: DecodeSession, frame: Frame) => DecodedValue | undefined

/** Numbers that later parts of the same constructor look back at, by slot. */
export type Frame = number[]

export const NO_FRAME: Frame = []
