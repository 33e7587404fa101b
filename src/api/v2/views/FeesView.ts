import { type Static, Type } from 'typebox'
import type { EstimatedFees } from '../fees/estimateFees.ts'
import { typeName } from './scalars.ts'

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

export const FeesView = Type.Object(
  {
    '@type': typeName('query.fees'),
    source_fees: SourceFeesView,
    destination_fees: Type.Array(SourceFeesView, { description: 'Always empty.' }),
  },
  { $id: 'QueryFees' },
)

export const toFeesView = ({ inForward, storage, gas, forward }: EstimatedFees): Static<typeof FeesView> => ({
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
