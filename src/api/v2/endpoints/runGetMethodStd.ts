import { optional, withDefault } from '../../core/Param.ts'
import { runAccountMethod } from '../methods/runAccountMethod.ts'
import { AddressParam, SeqnoParam } from '../params.ts'
import { readAccount } from '../readAccount.ts'
import { MethodParam, TypedStackParam } from '../stack/params.ts'
import { readTypedStack } from '../stack/readTypedStack.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { StdRunResultView, toStdRunResultView } from '../views/RunResultView.ts'

export const runGetMethodStd = v2Endpoint({
  name: 'runGetMethodStd',
  methods: ['POST'],
  tags: ['get-methods'],
  summary: 'Runs a get-method of a contract; arguments and results name their types.',
  params: {
    address: AddressParam,
    method: MethodParam,
    stack: withDefault(TypedStackParam, []),
    seqno: optional(SeqnoParam),
  },
  result: StdRunResultView,
  errors: ['stack_too_deep', 'stack_too_large'],
  // The configuration is that of the newest block, whatever block the state is of.
  lifetime: () => 'head',
  async handle(context, { address, method, stack, seqno }) {
    const values = readTypedStack(stack)
    const account = await readAccount(context.node, address, seqno)
    return toStdRunResultView(await runAccountMethod(context, address, account, method, values))
  },
})
