import { bagQueryParams, decodeBagQuery, IgnoreSignaturesParam } from '../externalQuery.ts'
import { estimateFees } from '../fees/estimateFees.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { FeesView, toFeesView } from '../views/FeesView.ts'

export const estimateFee = v2Endpoint({
  name: 'estimateFee',
  methods: ['POST'],
  tags: ['messages'],
  summary:
    'What an external message would cost its receiver, found by running it. A message that is refused costs nothing.',
  params: { ...bagQueryParams, ignore_chksig: IgnoreSignaturesParam },
  result: FeesView,
  errors: [],
  async handle(context, { address, ignore_chksig, ...parts }) {
    const question = { address, ...decodeBagQuery(parts), ignoreSignatures: ignore_chksig ?? true }
    return toFeesView(await estimateFees(context, await readAccount(context.node, address, undefined), question))
  },
})
