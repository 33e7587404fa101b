import { withDefault } from '../../core/Param.ts'
import { AddressParam, CoinsParam } from '../../core/params.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { SentView, toSentView } from '../views/SentView.ts'

export const faucet = devEndpoint({
  name: 'faucet',
  methods: ['POST'],
  tags: ['accounts'],
  summary: 'Gives money to an address.',
  params: { address: AddressParam, amount: withDefault(CoinsParam, '10000000000') },
  result: SentView,
  errors: ['dev_input_invalid', 'lite_refusal', 'dev_step_failed', 'dev_network_closed'],
  handle: async (network, { address, amount }) => toSentView(await network.faucet(address, amount)),
})
