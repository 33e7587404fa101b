import { Type } from 'typebox'
import { CONTROL_LIMITS } from '../../../devnet/network/bounds.ts'
import { param, withDefault } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/BlockIdView.ts'

export const mine = devEndpoint({
  name: 'mine',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Makes masterchain blocks now, with their shard blocks, whatever the mining mode is.',
  params: {
    blocks: withDefault(param(Type.Integer({ minimum: 1, maximum: CONTROL_LIMITS.minedBlocks })), 1),
  },
  result: Type.Object({ head: BlockIdView }),
  errors: ['dev_step_failed', 'dev_network_closed'],
  timeoutMs: 600_000,
  handle: async (network, { blocks }) => ({ head: toBlockIdView(await network.mine(blocks)) }),
})
