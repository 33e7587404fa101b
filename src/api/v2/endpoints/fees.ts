import { type Static, Type } from 'typebox'
import { type EstimatedFees, estimateFees } from '../estimateFees.ts'
import {
  bagQueryParams,
  decodeBagQuery,
  IgnoreSignaturesParam,
  objectQueryParams,
  readObjectQuery,
} from '../externalQuery.ts'
import { readAccount } from '../readAccount.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { typeName } from '../views/scalars.ts'

const fee = (description: string) => Type.Integer({ description, examples: [1_000_000] })

const SourceFeesView = Type.Object(
  {
    '@type': typeName('fees'),
    in_fwd_fee: fee('Import fee of the message.'),
    storage_fee: fee('Storage fee since the last payment.'),
    gas_fee: fee('Gas fee.'),
    fwd_fee: fee('Forward fees of outgoing messages.'),
  },
  { $id: 'Fees', description: 'In nano units.' },
)

const FeesView = Type.Object(
  {
    '@type': typeName('query.fees'),
    source_fees: SourceFeesView,
    destination_fees: Type.Array(SourceFeesView, { description: 'Always empty.' }),
  },
  { $id: 'QueryFees' },
)

const toFeesView = ({ inForward, storage, gas, forward }: EstimatedFees): Static<typeof FeesView> => ({
  '@type': 'query.fees',
  source_fees: {
    '@type': 'fees',
    in_fwd_fee: Number(inForward),
    storage_fee: Number(storage),
    gas_fee: Number(gas),
    fwd_fee: Number(forward),
  },
  destination_fees: [],
})

export const estimateFee = v2Endpoint({
  name: 'estimateFee',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Estimate the fees of an external message by running it. A refused message costs nothing.',
  params: { ...bagQueryParams, ignore_chksig: IgnoreSignaturesParam },
  result: FeesView,
  errors: [],
  async handle(context, { address, ignore_chksig, ...parts }) {
    const request = { address, ...decodeBagQuery(parts), ignoreSignatures: ignore_chksig ?? true }
    return toFeesView(await estimateFees(context, await readAccount(context.node, address, undefined), request))
  },
})

export const estimateFeeSimple = v2Endpoint({
  name: 'estimateFeeSimple',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Deprecated: estimateFee with cells as JSON objects.',
  params: { ...objectQueryParams, ignore_chksig: IgnoreSignaturesParam },
  result: FeesView,
  errors: ['cell_object_invalid'],
  async handle(context, { address, ignore_chksig, ...parts }) {
    const request = { address, ...readObjectQuery(parts), ignoreSignatures: ignore_chksig ?? true }
    return toFeesView(await estimateFees(context, await readAccount(context.node, address, undefined), request))
  },
})
