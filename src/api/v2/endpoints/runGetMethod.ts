import { optional, withDefault } from '../../core/Param.ts'
import { runAccountMethod } from '../methods/runAccountMethod.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { LegacyStackParam, MethodParam } from '../stack/params.ts'
import { readLegacyStack } from '../stack/readLegacyStack.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { RunResultView, toRunResultView } from '../views/RunResultView.ts'

export const runGetMethod = v2Endpoint({
  name: 'runGetMethod',
  methods: ['POST'],
  tags: ['get-methods'],
  summary: 'Runs a get-method of a contract.',
  params: {
    address: AddressParam,
    method: MethodParam,
    stack: withDefault(LegacyStackParam, []),
    seqno: optional(SeqnoParam),
  },
  result: RunResultView,
  errors: ['unsupported_stack_entry', 'stack_too_deep', 'stack_too_large'],
  // The configuration is that of the newest block, whatever block the state is of.
  lifetime: () => 'head',
  async handle(context, { address, method, stack, seqno }) {
    const values = readLegacyStack(stack)
    const account = await readAccount(context.node, address, seqno)
    return toRunResultView(await runAccountMethod(context, address, account, method, values), account)
  },
})
