import { Type } from 'typebox'
import { CONTROL_LIMITS } from '../../../devnet/network/bounds.ts'
import type { Disturbance } from '../../../devnet/network/NetworkControls.ts'
import { conflictingParams } from '../../core/errors.ts'
import { optional, param } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

const KindParam = param(
  Type.Union([Type.Literal('lose'), Type.Literal('delay'), Type.Literal('hold_internal')], {
    description:
      'lose: the next external message is taken and never seen again. delay: it waits for so many blocks. ' +
      'hold_internal: internal messages stay in their queues for so many blocks.',
  }),
)

const BlocksParam = param(
  Type.Integer({
    minimum: 1,
    maximum: CONTROL_LIMITS.disturbedBlocks,
    description: 'For how many blocks, with delay and hold_internal; 1 when left out.',
  }),
)

export const disturb = devEndpoint({
  name: 'disturb',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Loses or delays the next messages, as networks at times do.',
  params: { kind: KindParam, blocks: optional(BlocksParam) },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { kind, blocks }) {
    await network.disturb(toDisturbance(kind, blocks))
    return toStatusView(network.getStatus())
  },
})

const toDisturbance = (kind: 'lose' | 'delay' | 'hold_internal', blocks: number | undefined): Disturbance => {
  if (kind === 'delay') return { kind, blocks: blocks ?? 1 }
  if (kind === 'hold_internal') return { kind: 'holdInternal', blocks: blocks ?? 1 }
  if (blocks === undefined) return { kind }
  throw conflictingParams('blocks', 'A message that is lost is not lost for a number of blocks.')
}
