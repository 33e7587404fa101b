import { Type } from 'typebox'
import type { ActionRecord, ActionTypes } from '../../store/reader/actions.ts'
import { optional, param, shownAs } from '../core/Param.ts'
import { textListParam } from './params.ts'
import { RefusedRequestError } from './RefusedRequestError.ts'
import type { RequestOptions } from './RequestOptions.ts'
import { expandActionTypes } from './supportedActionTypes.ts'

export const SupportedTypesParam = optional(
  textListParam('Types of actions, and shortcuts for them, that the caller understands: latest, where none is given.'),
)

/** Types by their names; `name` is that of the parameter. */
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

export type AskedTypes = {
  readonly supported_action_types?: readonly string[] | undefined
  readonly action_type?: readonly string[] | undefined
  readonly exclude_action_type?: readonly string[] | undefined
}

/** Which actions a caller is shown. A list of no types is as if it were not there. */
export const readActionTypes = (asked: AskedTypes, { actionsVersion }: RequestOptions): ActionTypes => {
  const { supported_action_types: supported = [], action_type: only = [], exclude_action_type: without = [] } = asked
  const known = expandActionTypes(actionsVersion === undefined ? supported : [actionsVersion])
  const excluded = new Set(without)
  const types = [...new Set(only.length > 0 ? only : known)].filter((type) => !excluded.has(type))
  return { types, known, areFew: only.length > 0 || without.length > 0 }
}

/** The same as the database does it, for actions that are not there. */
export const isShown = ({ types, known }: ActionTypes, action: Pick<ActionRecord, 'type' | 'ancestorTypes'>): boolean =>
  types.includes(action.type) && !action.ancestorTypes.some((type) => known.includes(type))
