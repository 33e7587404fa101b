import type { Answers } from './Answers.ts'
import type { Call } from './Call.ts'
import type { Interface } from './Interface.ts'

/** An interface with what its handlers work on. */
export type Mount = {
  readonly definition: Interface
  /** Where answers are kept; without it none are. */
  readonly answers: Answers | undefined
  /** Made for every call, so that a call may have things of its own. */
  readonly context: (call: Call) => unknown
  /** Programs on other machines may call it although it is meant for this one. Pages of other origins still may not. */
  readonly allowRemote: boolean
  /** Holds every result against its schema, and fails where they differ: for tests. */
  readonly checkResults: boolean
}

export type MountOptions = Partial<Pick<Mount, 'answers' | 'allowRemote' | 'checkResults'>>

export const mount = <Context>(
  definition: Interface<Context>,
  context: (call: Call) => Context,
  { answers, allowRemote = false, checkResults = false }: MountOptions = {},
): Mount => ({ definition, context, answers, allowRemote, checkResults })
