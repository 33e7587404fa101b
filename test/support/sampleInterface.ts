import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { endpointFor } from '../../src/api/core/Endpoint.ts'
import { type Interface, standardJsonRpc } from '../../src/api/core/Interface.ts'
import { list, optional, param, withDefault } from '../../src/api/core/params.ts'
import { NodeRefusedError } from '../../src/chain/errors.ts'
import { formatRawAddress, parseAddress } from '../../src/primitives/Address.ts'

/** What the handlers of the sample work on. */
export type SampleContext = { readonly factor: bigint; readonly signal: AbortSignal; readonly seen: string[] }

const sampleEndpoint = endpointFor<SampleContext>()

const BigParam = param(Type.String({ pattern: '^-?[0-9]+$', maxLength: 300 }), BigInt)

const echo = sampleEndpoint({
  name: 'echo',
  tags: ['sample'],
  summary: 'Gives back what came, read and printed again.',
  params: {
    address: param(Type.String({ description: 'In any form.' }), parseAddress),
    limit: withDefault(param(Type.Integer({ minimum: 1, maximum: 1000 })), 10),
    lt: optional(BigParam),
    flag: optional(param(Type.Boolean())),
    ratio: optional(param(Type.Number())),
    lts: optional(list(BigParam, { maxItems: 3 })),
    mode: optional(param(Type.Union([Type.Literal('fast'), Type.Literal('slow')]))),
  },
  result: Type.Object({
    address: Type.String(),
    limit: Type.Integer(),
    lt: Type.Union([Type.String(), Type.Null()]),
    flag: Type.Union([Type.Boolean(), Type.Null()]),
    ratio: Type.Union([Type.Number(), Type.Null()]),
    lts: Type.Array(Type.String()),
    mode: Type.Union([Type.String(), Type.Null()]),
  }),
  errors: [],
  handle: (_context, { address, limit, lt, flag, ratio, lts = [], mode }) => ({
    address: formatRawAddress(address),
    limit,
    lt: lt?.toString() ?? null,
    flag: flag ?? null,
    ratio: ratio ?? null,
    lts: lts.map(String),
    mode: mode ?? null,
  }),
})

const Product = Type.Object({ text: Type.String(), number: Type.BigInt() }, { $id: 'Product' })

const multiply = sampleEndpoint({
  name: 'multiply',
  tags: ['sample'],
  summary: 'The product with the factor, as text and as a number with all its digits.',
  params: { value: BigParam },
  result: Product,
  errors: ['block_not_found'],
  async handle({ factor, seen }, { value }) {
    seen.push(value.toString())
    return { text: (value * factor).toString(), number: value * factor }
  },
})

const carry = sampleEndpoint({
  name: 'carry',
  methods: ['POST'],
  tags: ['sample'],
  summary: 'Any JSON, there and back.',
  params: { value: param(Type.Unknown()) },
  result: Type.Object({ value: Type.Unknown() }),
  errors: [],
  handle: (_context, { value }) => ({ value }),
})

const fail = sampleEndpoint({
  name: 'fail',
  methods: ['GET'],
  tags: ['sample'],
  summary: 'Fails as it is told to.',
  params: { how: param(Type.String()) },
  result: Type.Null(),
  errors: ['node_refused'],
  handle: (_context, { how }) => {
    if (how === 'refused') throw new NodeRefusedError(651, 'not in db')
    throw new Error(`a bug with a secret in it: ${how}`)
  },
})

const wait = sampleEndpoint({
  name: 'wait',
  tags: ['sample'],
  summary: 'Answers after a while.',
  params: { ms: param(Type.Integer({ minimum: 0 })) },
  result: Type.Literal('done'),
  errors: [],
  async handle({ signal, seen }, { ms }) {
    signal.addEventListener('abort', () => seen.push('aborted'))
    await sleep(ms, undefined, { signal })
    return 'done' as const
  },
})

const lie = sampleEndpoint({
  name: 'lie',
  tags: ['sample'],
  summary: 'Has more in its result than it declares.',
  params: {},
  result: Type.Object({ a: Type.Integer() }),
  errors: [],
  handle: () => {
    const result = { a: 1, undeclared: 2 }
    return result
  },
})

/** A small interface over everything that an interface may have. */
export const sample = {
  prefix: '/sample',
  title: 'Sample',
  description: 'For tests.',
  version: '1.0.0',
  endpoints: [echo, multiply, carry, fail, wait, lie],
  ignoredMembers: ['@extra'],
  body: { mediaType: 'any', mayBeEmpty: false },
  localOnly: false,
  jsonRpc: standardJsonRpc('/rpc', 4),
  envelope: (result) => ({ ok: true, result }),
  envelopeSchema: (result) => Type.Object({ ok: Type.Literal(true), result }),
  openEnvelope: (answer) => (answer as { result: unknown }).result,
  renderError: ({ message, status, code }, { transport, endpoint }) => ({
    ok: false,
    error: message,
    code: status,
    kind: code,
    transport,
    ...(endpoint !== undefined && { endpoint }),
  }),
  errorSchema: Type.Object(
    { ok: Type.Literal(false), error: Type.String(), code: Type.Integer(), kind: Type.String() },
    { $id: 'Error' },
  ),
  headers: () => ({ 'x-api-version': '1.0.0' }),
} as const satisfies Interface<SampleContext>

/** The same endpoints in the manner of the live interface: its statuses, and JSON-RPC within the same envelope. */
export const sampleOfOldManner = {
  ...sample,
  prefix: '/old',
  statuses: { invalid_json: 422, invalid_request: 422, unknown_method: 422, node_refused: 500 },
  jsonRpc: {
    path: '/jsonRPC',
    maxBatch: 0,
    notifications: false,
    renderResult: (result, _call, id) => ({ ok: true, result, jsonrpc: '2.0', ...(id !== undefined && { id }) }),
    renderError: ({ message, status }, _call, id) => ({
      ok: false,
      error: message,
      code: status,
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
    }),
    statusOf: ({ status }) => status,
  },
} as const satisfies Interface<SampleContext>

/** The same, for this machine only. */
export const sampleAtHome = {
  ...sample,
  prefix: '/home',
  localOnly: true,
  body: { mediaType: 'json', mayBeEmpty: true },
} as const satisfies Interface<SampleContext>
