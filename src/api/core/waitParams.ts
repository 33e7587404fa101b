import { type Static, Type } from 'typebox'
import { param, withDefault } from './params.ts'

/** Seconds that a caller may wait for a message. */
export const MAX_WAIT_S = 120
const WAIT_S = 30

/** Parameters of a call that sends a message and waits. */
export const waitParams = {
  timeout: withDefault(
    param(Type.Integer({ minimum: 0, maximum: MAX_WAIT_S, description: 'How long to wait, in seconds.' })),
    WAIT_S,
  ),
  until: withDefault(
    param(
      Type.Union([Type.Literal('pending'), Type.Literal('finalized')], {
        description: 'pending: only until the trace is emulated.',
      }),
    ),
    'finalized',
  ),
} as const

/** What became of a message. */
export const SendStatusView = Type.Union(
  [
    Type.Literal('finalized'),
    Type.Literal('pending'),
    Type.Literal('not_accepted'),
    Type.Literal('expired'),
    Type.Literal('lost'),
  ],
  {
    description:
      'finalized: the whole trace is indexed. pending: the time is up, or until is pending. not_accepted: the contract refuses the message. ' +
      'expired: its seqno is used, or valid_until has passed. lost: no block had it for a minute.',
  },
)

export type SendStatus = Static<typeof SendStatusView>
