import { Type } from 'typebox'
import { param } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/BlockIdView.ts'

export const revert = devEndpoint({
  name: 'revert',
  methods: ['POST'],
  tags: ['snapshots'],
  summary: 'Takes the chain back to a snapshot.',
  description: 'Blocks and snapshots that are newer than it are gone. The snapshot itself stays.',
  params: { id: param(Type.String({ minLength: 1, maxLength: 100, description: 'As the snapshot said.' })) },
  result: Type.Object({ head: BlockIdView }),
  errors: ['dev_snapshot_not_found', 'dev_network_closed'],
  handle: async (network, { id }) => ({ head: toBlockIdView(await network.revert(id)) }),
})
