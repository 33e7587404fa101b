import { Type } from 'typebox'
import { devEndpoint } from '../devEndpoint.ts'
import { BlockIdView, toBlockIdView } from '../views/BlockIdView.ts'

export const snapshot = devEndpoint({
  name: 'snapshot',
  methods: ['POST'],
  tags: ['snapshots'],
  summary: 'Remembers the chain as it is, to come back to it later.',
  params: {},
  result: Type.Object({ id: Type.String({ description: 'What to revert to.' }), head: BlockIdView }),
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network) {
    const { id, head } = await network.snapshot()
    return { id, head: toBlockIdView(head) }
  },
})
