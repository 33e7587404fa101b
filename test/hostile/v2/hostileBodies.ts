import { encodeBoc } from '../../../src/codec/cell/encodeBoc.ts'
import { assembleBag } from '../../support/RawBag.ts'
import { chainBag, dictBomb, snakeBomb, stackBomb } from '../bombs.ts'
import { mutateBytes } from '../mutateBytes.ts'
import type { Random } from '../Random.ts'

const methods = [
  'getAddressInformation',
  'getTransactions',
  'getBlockTransactions',
  'lookupBlock',
  'tryLocateTx',
  'sendBoc',
  'estimateFee',
  'runGetMethod',
  'getConfigParam',
  'getLibraries',
  'noSuchMethod',
]

/** Text that is nearly JSON, or JSON that is nearly a request. */
export const malformedJson = (random: Random): Uint8Array => {
  const whole = Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: random.pick(methods),
      params: { address: 'EQ', seqno: 1, stack: [] },
    }),
  )
  const texts = [
    '',
    '{',
    '[]',
    'nope',
    'null',
    '{"a":1,}',
    '{"a":NaN}',
    '{"__proto__":{"method":"getMasterchainInfo"}}',
    '{"method":"constructor"}',
    '{"method":"__proto__","params":{}}',
    '{"method":"getAddressInformation","params":{"address":{"toString":1}}}',
    '"\\ud800"',
    `{"method":"getMasterchainInfo","id":${'9'.repeat(400)}}`,
    `{"method":"getMasterchainInfo","id":"${'x'.repeat(5000)}"}`,
    `{${'"a":1,'.repeat(5000)}"a":1}`,
  ]
  if (random.once(3)) return Buffer.from(random.pick(texts))
  if (random.once(3)) return whole.subarray(0, random.below(whole.length))
  return mutateBytes(Uint8Array.from(whole), random.bytes(20), random)
}

/** Numbers that no field holds. */
export const giantNumbers = (random: Random): Uint8Array => {
  const digits = random.pick([12, 19, 20, 78, 400, 999, 1001, 50_000, 900_000])
  const number = `${random.pick(['', '-'])}${random.pick(['9', '1', '0'])}${'7'.repeat(digits)}${random.pick(['', '', 'e999999999', '.5', 'E-1'])}`
  const name = random.pick(['seqno', 'limit', 'lt', 'created_lt', 'count', 'config_id', 'workchain', 'shard', 'method'])
  const value = random.once(2) ? number : `"${number}"`
  const params = random.once(2)
    ? `{"address":"0:${'0'.repeat(64)}","${name}":${value}}`
    : `{"address":"0:${'0'.repeat(64)}","method":"seqno","stack":[["num",${value}]]}`
  return Buffer.from(`{"id":${random.once(4) ? number : 1},"method":"${random.pick(methods)}","params":${params}}`)
}

/** Brackets in brackets, as JSON and as a stack of values. */
export const deepNesting = (random: Random, address: string): Uint8Array => {
  const depth = random.pick([50, 120, 1000, 20_000, 400_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"@type":"tvm.tuple","elements":[', ']}'],
    ['["tuple",', ']'],
    ['{"@type":"tvm.stackEntryTuple","tuple":{"@type":"tvm.tuple","elements":[', ']}}'],
  ] as const)
  const levels = Math.min(depth, Math.floor(1_000_000 / (open.length + close.length)))
  const nest = open.repeat(levels) + (random.once(2) ? close.repeat(levels) : '')
  return Buffer.from(
    random.once(2)
      ? nest
      : `{"method":"runGetMethod","params":{"address":"${address}","method":"x","stack":[["tuple",${nest}]]}}`,
  )
}

/** Few bytes that stand for more cells, paths or levels than there are atoms. */
const explosiveBag = (random: Random): Uint8Array => {
  const make = random.pick<() => Uint8Array>([
    () => assembleBag(chainBag(random)),
    () => assembleBag(chainBag(random)),
    () => encodeBoc([dictBomb(random)]),
    () => encodeBoc([snakeBomb(random)]),
    () => encodeBoc([stackBomb(random)]),
    () => mutateBytes(assembleBag(chainBag(random)), random.bytes(30), random),
  ])
  return make()
}

/** A request with such a bag wherever one may be given. */
export const explosiveRequest = (
  random: Random,
  echo: string,
): { readonly method: string; readonly params: object } => {
  const bag = Buffer.from(explosiveBag(random)).toString('base64')
  return random.pick([
    { method: 'sendBoc', params: { boc: bag } },
    { method: 'sendBocReturnHash', params: { boc: bag } },
    { method: 'estimateFee', params: { address: echo, body: bag, init_code: bag, init_data: bag } },
    { method: 'runGetMethod', params: { address: echo, method: 'x', stack: [['tvm.Cell', bag]] } },
    { method: 'runGetMethod', params: { address: echo, method: 'x', stack: Array(20).fill(['tvm.Slice', bag]) } },
    {
      method: 'runGetMethodStd',
      params: {
        address: echo,
        method: 'x',
        stack: [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bag } }],
      },
    },
  ])
}
