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
  /** Token of an interface for this machine: a caller that sends it may be anywhere. Without it, only this machine may call. */
  readonly token: string | undefined
  /** Names of this machine besides localhost, for the same. */
  readonly allowedHosts: readonly string[]
  /** Holds every result against its schema, and fails where they differ: for tests. */
  readonly checkResults: boolean
}

export type MountOptions = Partial<Pick<Mount, 'answers' | 'token' | 'allowedHosts' | 'checkResults'>>

export const mount = <Context>(
  definition: Interface<Context>,
  context: (call: Call) => Context,
  { answers, token, allowedHosts = [], checkResults = false }: MountOptions = {},
): Mount => ({ definition, context, answers, token, allowedHosts, checkResults })
