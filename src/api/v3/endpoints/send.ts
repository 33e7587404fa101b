import { Type } from 'typebox'
import type { JsonObject } from '../../core/json/parseJson.ts'
import { optional, param, withDefault } from '../../core/params.ts'
import { MissingArgumentError } from '../errors.ts'
import { boolParam } from '../params.ts'
import { proxyToV2 } from '../proxyToV2.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { BocText, HashText } from '../views/scalars.ts'

export const message = v3Endpoint({
  name: 'message',
  needsNode: true,
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Send an external message and return its hashes.',
  params: { boc: optional(param(BocText)) },
  result: Type.Object({ message_hash: HashText, message_hash_norm: HashText }, { $id: 'SendMessageResult' }),
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { boc }) {
    if (boc === undefined || boc === '') throw new MissingArgumentError('boc is required')
    const { hash, hash_norm } = (await proxyToV2(context, 'sendBocReturnHash', { boc })) as JsonObject
    return { message_hash: hash as string, message_hash_norm: hash_norm as string }
  },
})

const EstimatedFeeView = Type.Object(
  { in_fwd_fee: Type.Integer(), storage_fee: Type.Integer(), gas_fee: Type.Integer(), fwd_fee: Type.Integer() },
  { $id: 'EstimatedFee', description: 'In nano units.' },
)

const boc = (description: string) => param(Type.String({ description }))

export const estimateFee = v3Endpoint({
  name: 'estimateFee',
  needsNode: true,
  methods: ['POST'],
  tags: ['legacy'],
  summary: 'Estimate the fees of an external message by running it.',
  params: {
    address: param(Type.String({ description: 'The receiver.' })),
    body: boc('Message body as a bag of cells.'),
    init_code: optional(boc('Code of a contract to deploy, as a bag of cells.')),
    init_data: optional(boc('Its data.')),
    ignore_chksig: withDefault(boolParam('Treat all signatures as valid.'), false),
  },
  result: Type.Object(
    {
      source_fees: EstimatedFeeView,
      destination_fees: Type.Array(EstimatedFeeView, { description: 'Always empty.' }),
    },
    { $id: 'EstimateFeeResult' },
  ),
  errors: ['live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, body, init_code, init_data, ignore_chksig }) {
    const args = {
      address,
      body,
      ...(init_code !== undefined && { init_code }),
      ...(init_data !== undefined && { init_data }),
      ignore_chksig,
    }
    const { source_fees } = (await proxyToV2(context, 'estimateFee', args)) as JsonObject
    const { in_fwd_fee, storage_fee, gas_fee, fwd_fee } = source_fees as { readonly [name: string]: number }
    return {
      source_fees: {
        in_fwd_fee: in_fwd_fee!,
        storage_fee: storage_fee!,
        gas_fee: gas_fee!,
        fwd_fee: fwd_fee!,
      },
      destination_fees: [],
    }
  },
})
