import { Type } from 'typebox'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { ParseError } from '../../primitives/errors.ts'
import type { ActionRecord, ActionTypes } from '../../store/reader/actions.ts'
import type { EventWindow } from '../../store/reader/events.ts'
import type { Direction } from '../../store/reader/jettonEvents.ts'
import { optional, param, shownAs, withDefault } from '../core/params.ts'
import { RefusedRequestError } from './errors.ts'
import { type SortDirection, textListParam } from './params.ts'
import { expandActionTypes } from './supportedActionTypes.ts'
import type { RequestOptions } from './V3Context.ts'

const directions: ReadonlySet<string> = new Set<Direction>(['in', 'out', 'both'])

/** Side of the given owners in a transfer. */
export const TransferDirectionParam = withDefault(
  shownAs(
    param(Type.String(), (text): Direction => {
      if (!directions.has(text)) throw new ParseError('in, out or both', text)
      return text as Direction
    }),
    Type.Union([Type.Literal('in'), Type.Literal('out'), Type.Literal('both')], {
      description: 'Incoming or outgoing transfers of the owners, or both. Only with an owner.',
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

/** The time window and sort order. */
export const readEventWindow = (params: WindowArguments): EventWindow => ({
  time: { from: params.start_utime, to: params.end_utime },
  startLt: params.start_lt,
  endLt: params.end_lt,
  direction: params.sort,
})

/** Owners given by either of two parameters. */
export const joinOwners = (
  owners: readonly Uint8Array[] | undefined,
  others: readonly Uint8Array[] | undefined,
): readonly Uint8Array[] | undefined =>
  owners === undefined ? others : others === undefined ? owners : [...owners, ...others]

/** Side of a message. */
export const MessageDirectionParam = shownAs(
  param(Type.String(), (text): 'in' | 'out' => {
    if (text !== 'in' && text !== 'out') throw new RefusedRequestError('direction should be one of: in, out')
    return text
  }),
  Type.Union([Type.Literal('in'), Type.Literal('out')], {
    description: 'in: transactions that received the message; out: those that sent it.',
  }),
)

/** A body hash as stored: the index does not store empty bodies. */
export const findBodyHash = (hash: Uint8Array): Uint8Array | 'empty' =>
  bytesEqual(hash, emptyCell.hash()) ? 'empty' : hash

export const SupportedTypesParam = optional(
  textListParam('Action types, or shortcuts for them, that the client supports. Default: latest.'),
)

/** Action types; `name` is the name of the parameter. */
export const actionTypesParam = (name: string, description: string) => {
  const texts = textListParam(description)
  const shown = Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.]*$' }), { description, maxItems: 1000 })
  return optional(
    shownAs(
      param(Type.Array(Type.String()), (items) => {
        const types = texts.parse(items)
        if (!types.every((type) => /^[A-Za-z0-9_.]*$/.test(type))) {
          throw new RefusedRequestError(`${name} contains invalid characters`)
        }
        return types
      }),
      shown,
    ),
  )
}

export type RequestedTypes = {
  readonly supported_action_types?: readonly string[] | undefined
  readonly action_type?: readonly string[] | undefined
  readonly exclude_action_type?: readonly string[] | undefined
}

/** The action types to return. An empty list means no filter. */
export const readActionTypes = (
  asked: RequestedTypes,
  { actionsVersion }: Pick<RequestOptions, 'actionsVersion'>,
): ActionTypes => {
  const { supported_action_types: supported = [], action_type: only = [], exclude_action_type: without = [] } = asked
  const known = expandActionTypes(actionsVersion === undefined ? supported : [actionsVersion])
  const excluded = new Set(without)
  const types = [...new Set(only.length > 0 ? only : known)].filter((type) => !excluded.has(type))
  return { types, known, areFew: only.length > 0 || without.length > 0 }
}

/** The filter of the database, for actions that are not in it. */
export const isShown = ({ types, known }: ActionTypes, action: Pick<ActionRecord, 'type' | 'ancestorTypes'>): boolean =>
  types.includes(action.type) && !action.ancestorTypes.some((type) => known.includes(type))
