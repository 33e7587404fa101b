import { Type } from 'typebox'
import { HashParam } from '../../core/params.ts'
import { devEndpoint } from '../devEndpoint.ts'

export const log = devEndpoint({
  name: 'log',
  methods: ['GET'],
  tags: ['accounts'],
  summary: 'What the virtual machine did in a transaction, instruction by instruction.',
  description: 'The transaction is run again from the state before it, and must come out the same.',
  params: { hash: HashParam },
  result: Type.Object({ log: Type.String() }),
  errors: [
    'dev_transaction_not_found',
    'dev_transaction_not_repeatable',
    'vm_busy',
    'vm_timeout',
    'vm_crashed',
    'dev_network_closed',
  ],
  timeoutMs: 60_000,
  handle: async (network, { hash }) => ({ log: await network.getTransactionLog(hash) }),
})
