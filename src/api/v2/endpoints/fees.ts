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
    in_fwd_fee: fee('For the message to be taken in.'),
    storage_fee: fee('For storage since it was last paid for.'),
    gas_fee: fee('For what the contract computes.'),
    fwd_fee: fee('For the messages that it sends.'),
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
