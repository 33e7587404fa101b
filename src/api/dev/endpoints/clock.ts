import { Type } from 'typebox'
import { CONTROL_LIMITS } from '../../../devnet/network/bounds.ts'
import { param } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

export const clock = devEndpoint({
  name: 'clock',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Moves the clock of the network forward; the next block has the new time.',
  params: {
    seconds: param(Type.Integer({ minimum: 1, maximum: CONTROL_LIMITS.clockSeconds, examples: [86400] })),
  },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  handle: async (network, { seconds }) => toStatusView(await network.moveClock(seconds)),
})
