import { Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeComment } from '../../../codec/content/text.ts'
import { NO_EXTRA_CURRENCIES } from '../../../codec/tlb/CurrencyCollection.ts'
import { conflictingParams } from '../../core/errors.ts'
import { optional, param, withDefault } from '../../core/Param.ts'
import { AddressParam, CoinsParam } from '../../core/params.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { CellParam, ExtraCurrenciesParam, StateInitParam } from '../params.ts'
import { SentView, toSentView } from '../views/SentView.ts'

const BounceParam = param(Type.Boolean({ description: 'Whether the value comes back if the receiver fails.' }))

const CommentParam = param(
  Type.String({ maxLength: 10_000, description: 'A text to go with it, in place of a body.', examples: ['hello'] }),
  (text): Cell => writeWhole(writeComment, { kind: 'text', bytes: new TextEncoder().encode(text) }),
)

export const impersonate = devEndpoint({
  name: 'impersonate',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Sends an internal message from any address.',
  description: 'The value comes from nowhere and counts as minted; all that follows is as with any other message.',
  params: {
    source: AddressParam,
    destination: AddressParam,
    value: CoinsParam,
    extra_currencies: optional(ExtraCurrenciesParam),
    bounce: withDefault(BounceParam, true),
    state_init: optional(StateInitParam),
    body: optional(CellParam),
    comment: optional(CommentParam),
  },
  result: SentView,
  errors: ['dev_input_invalid', 'dev_step_failed', 'dev_network_closed'],
  async handle(network, params) {
    const { source, destination, value, extra_currencies: extra, bounce, state_init: stateInit, body, comment } = params
    if (body !== undefined && comment !== undefined) {
      throw conflictingParams('comment', 'A message has a body or a comment, not both.')
    }
    const message = {
      source,
      destination,
      value: { grams: value, extra: extra ?? NO_EXTRA_CURRENCIES },
      bounce,
      stateInit,
      body: body ?? comment ?? emptyCell,
    }
    return toSentView(await network.impersonate(message))
  },
})
