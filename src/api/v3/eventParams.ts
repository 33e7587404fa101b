import { Type } from 'typebox'
import { ParseError } from '../../primitives/errors.ts'
import type { EventWindow } from '../../store/reader/events.ts'
import type { Direction } from '../../store/reader/jettonEvents.ts'
import { param, shownAs, withDefault } from '../core/Param.ts'
import type { SortDirection } from './params.ts'

const directions: ReadonlySet<string> = new Set<Direction>(['in', 'out', 'both'])

/** Which side of a transfer the owners that are given have. */
export const DirectionParam = withDefault(
  shownAs(
    param(Type.String(), (text): Direction => {
      if (!directions.has(text)) throw new ParseError('in, out or both', text)
      return text as Direction
    }),
    Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('both')], {
      description: 'What owners get, what they send, or both; only with an owner.',
    }),
  ),
  'both',
)

type WindowArguments = {
  readonly start_utime?: number | undefined
  readonly end_utime?: number | undefined
  readonly start_lt?: bigint | undefined
  readonly end_lt?: bigint | undefined
  readonly sort: SortDirection
}

/** The window and the order that are asked for. */
export const readEventWindow = (params: WindowArguments): EventWindow => ({
  time: { from: params.start_utime, to: params.end_utime },
  startLt: params.start_lt,
  endLt: params.end_lt,
  direction: params.sort,
})

/** Owners by either of two names. */
export const joinOwners = (
  owners: readonly Uint8Array[] | undefined,
  others: readonly Uint8Array[] | undefined,
): readonly Uint8Array[] | undefined =>
  owners === undefined ? others : others === undefined ? owners : [...owners, ...others]
