import { IgnoreSignaturesParam, objectQueryParams, readObjectQuery } from '../externalQuery.ts'
import { estimateFees } from '../fees/estimateFees.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { FeesView, toFeesView } from '../views/FeesView.ts'

export const estimateFeeSimple = v2Endpoint({
  name: 'estimateFeeSimple',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'As estimateFee, with cells as objects (deprecated).',
  params: { ...objectQueryParams, ignore_chksig: IgnoreSignaturesParam },
  result: FeesView,
  errors: ['cell_object_invalid'],
  async handle(context, { address, ignore_chksig, ...parts }) {
    const question = { address, ...readObjectQuery(parts), ignoreSignatures: ignore_chksig ?? true }
    return toFeesView(await estimateFees(context, await readAccount(context.node, address, undefined), question))
  },
})
