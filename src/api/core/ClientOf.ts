import type { Static } from 'typebox'
import type { Interface } from './Interface.ts'
import type { ArgumentsOf, ParamTable } from './params.ts'

/** The calls of an interface: a function for each endpoint, from wire values to the wire shape of its result. */
export type ClientOf<I extends Interface> = {
  readonly [E in I['endpoints'][number] as E['name']]: (
    ...args: CallArguments<E['params']>
  ) => Promise<Static<E['result']>>
}

type CallArguments<T extends ParamTable> =
  Record<never, never> extends ArgumentsOf<T> ? [args?: ArgumentsOf<T>] : [args: ArgumentsOf<T>]
