import { type Static, Type } from 'typebox'
import { type Equal, expectType } from '../../../test/support/expectType.ts'
import { createClient } from '../../../test/support/interfaceClient.ts'
import type { Address } from '../../primitives/Address.ts'
import { endpointFor } from './Endpoint.ts'
import type { ClientOf, Interface } from './Interface.ts'
import {
  AddressParam,
  type ArgumentsOf,
  CoinsParam,
  list,
  optional,
  type ParsedOf,
  param,
  withDefault,
} from './params.ts'
import type { ErrorCode } from './wireErrors.ts'

type Context = { readonly answer: number }

const params = {
  address: AddressParam,
  amount: optional(CoinsParam),
  limit: withDefault(param(Type.Integer()), 10),
  addresses: list(AddressParam, { maxItems: 3 }),
  mode: param(Type.Union([Type.Literal('a'), Type.Literal('b')])),
}

// A handler gets values: never texts, and nothing absent where there is a default.
expectType<
  Equal<
    ParsedOf<typeof params>,
    {
      readonly address: Address
      readonly amount: bigint | undefined
      readonly limit: number
      readonly addresses: Address[]
      readonly mode: 'a' | 'b'
    }
  >
>()

// A caller gives wire values, and may leave out what is optional or has a default.
const args: ArgumentsOf<typeof params> = { address: '0:00', addresses: ['0:00'], mode: 'a' }
expectType<Equal<(typeof args)['amount'], string | undefined>>()
expectType<Equal<(typeof args)['limit'], number | undefined>>()
// @ts-expect-error the address is missing
export const missing: ArgumentsOf<typeof params> = { addresses: [], mode: 'a' }
// @ts-expect-error there is no such mode
export const wrongMode: ArgumentsOf<typeof params> = { ...args, mode: 'c' }

const endpoint = endpointFor<Context>()

const first = endpoint({
  name: 'first',
  tags: [],
  summary: '',
  params,
  result: Type.Object({ text: Type.String(), big: Type.BigInt() }),
  errors: ['block_not_found', 'vm_timeout'],
  handle({ answer }, { address, amount, limit }) {
    expectType<Equal<typeof address, Address>>()
    expectType<Equal<typeof amount, bigint | undefined>>()
    expectType<Equal<typeof limit, number>>()
    expectType<Equal<typeof answer, number>>()
    return { text: '', big: 1n }
  },
})

const second = endpoint({
  name: 'second',
  tags: [],
  summary: '',
  params: { limit: withDefault(param(Type.Integer()), 10) },
  result: Type.Array(Type.Integer()),
  errors: [],
  handle: async (_context, { limit }) => [limit],
})

export const wrongResult = endpoint({
  name: 'wrong',
  tags: [],
  summary: '',
  params: {},
  result: Type.Object({ text: Type.String() }),
  errors: [],
  // @ts-expect-error the result is declared to be an object with a text
  handle: () => ({ text: 5 }),
})

export const wrongCode = endpoint({
  name: 'wrong',
  tags: [],
  summary: '',
  params: {},
  result: Type.Null(),
  // @ts-expect-error a code that is not in the table
  errors: ['no_such_code'],
  handle: () => null,
})

// @ts-expect-error a default must fit the schema
export const wrongDefault = withDefault(param(Type.Integer()), 'ten')

const sample = {
  prefix: '/x',
  title: '',
  description: '',
  version: '',
  endpoints: [first, second],
  body: { mediaType: 'any', mayBeEmpty: true },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: ({ code }) => {
    expectType<Equal<typeof code, ErrorCode>>()
    return { code }
  },
  errorSchema: Type.Object({}),
} as const satisfies Interface<Context>

type Client = ClientOf<typeof sample>

expectType<Equal<keyof Client, 'first' | 'second'>>()
expectType<Equal<Awaited<ReturnType<Client['first']>>, { text: string; big: bigint }>>()
expectType<Equal<Parameters<Client['second']>, [args?: ArgumentsOf<typeof second.params>]>>()
expectType<Equal<Awaited<ReturnType<Client['second']>>, Static<typeof second.result>>>()

export const useClient = async (): Promise<number[]> => {
  const client = createClient(sample, 'http://localhost')
  await client.first({ address: '', addresses: [], mode: 'a' })
  // @ts-expect-error its arguments are not optional
  await client.first()
  // @ts-expect-error there is no such endpoint
  await client.third()
  return client.second()
}
