import { encodeBoc } from '../../../src/codec/cell/encodeBoc.ts'
import { toBase64 } from '../../../src/primitives/base64.ts'
import { amplifyingDictionary, hostileBody } from '../../support/hostileMessages.ts'
import type { Prey } from './prey.ts'

/** One request of an attacker. */
export type Attack = {
  readonly path: string
  /** As it is where it is a text. */
  readonly body?: unknown
  /** Statuses beyond 500 that say what the matter is: of the machine that ran a contract, or of a node. */
  readonly allowed?: readonly number[]
  /** How many times it is sent at the same time; once unless told. */
  readonly atOnce?: number
}

/** A kind of attack: its requests, by their number. */
export type AttackKind = { readonly name: string; request(serial: number): Attack }

const query = (values: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])).toString()

/** How a get-method may end: out of time, no free machine, a result that is too large or too deep or cannot be shown. */
const METHOD_FAILURES = [500, 503, 504, 533, 542]

const methods = ['get_wallet_data', 'get_jetton_data', 'get_nft_data', 'seqno', 'dnsresolve']

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let k = 0; k < depth; k++) value = [value]
  return value
}

/** Everything where a request that is cheap to make could be dear to answer. */
export const attackKinds = ({ target, contracts, loop, multisig }: Prey): readonly AttackKind[] => {
  const bodies = Array.from({ length: 400 }, (_, k) => toBase64(encodeBoc([hostileBody(k)])))
  const dictionaries = Array.from({ length: 1000 }, (_, k) => toBase64(encodeBoc([amplifyingDictionary(k)])))
  // Made once: whoever measures must not be busy with attacking.
  const decodes = [JSON.stringify({ bodies }), JSON.stringify({ bodies: dictionaries })]
  const contract = (serial: number): string => contracts[serial % contracts.length]!
  const addresses = Array.from({ length: 1000 }, (_, k) => `0:${k.toString(16).padStart(64, '0')}`)
  const page = { limit: 1000 }
  return [
    { name: 'transactions', request: () => ({ path: `/api/v3/transactions?${query({ account: target, ...page })}` }) },
    { name: 'all transactions', request: () => ({ path: `/ton/api/v3/transactions?${query(page)}` }) },
    { name: 'messages', request: () => ({ path: `/api/v3/messages?${query({ destination: target, ...page })}` }) },
    { name: 'traces', request: () => ({ path: `/api/v3/traces?${query({ ...page, include_actions: 'true' })}` }) },
    { name: 'events', request: () => ({ path: `/api/v3/events?${query({ account: loop, ...page })}` }) },
    {
      name: 'actions',
      request: () => ({ path: `/api/v3/actions?${query({ ...page, include_transactions: 'true' })}` }),
    },
    { name: 'decode', request: (k) => ({ path: '/api/v3/decode', body: decodes[k % 2] }) },
    {
      name: 'get-methods',
      request: (k) => ({
        path: '/api/v2/runGetMethod',
        body: { address: contract(k), method: methods[k % methods.length], stack: [] },
        allowed: METHOD_FAILURES,
      }),
    },
    {
      name: 'get-methods of v3',
      request: (k) => ({
        path: '/api/v3/runGetMethod',
        body: { address: contract(k + 1), method: 'get_jetton_data', stack: [] },
        allowed: [...METHOD_FAILURES, 501],
      }),
    },
    {
      name: 'token data',
      request: (k) => ({ path: `/api/v2/getTokenData?${query({ address: contract(k) })}`, allowed: METHOD_FAILURES }),
    },
    {
      name: 'live transactions',
      request: () => ({ path: `/api/v2/getTransactions?${query({ address: target, limit: 100 })}` }),
    },
    {
      name: 'names',
      request: (k) => ({
        path: `/api/v2/dnsResolve?${query({ address: contract(k), name: `${'a.'.repeat(40 + (k % 20))}demo`, ttl: 100 })}`,
        allowed: METHOD_FAILURES,
      }),
    },
    {
      name: 'fees',
      request: (k) => ({
        path: '/api/v2/estimateFee',
        body: { address: contract(k), body: bodies[k % bodies.length], ignore_chksig: true },
        allowed: METHOD_FAILURES,
      }),
    },
    { name: 'address book', request: () => ({ path: `/api/v3/addressBook?address=${addresses.join('&address=')}` }) },
    {
      name: 'account states',
      request: () => ({ path: `/api/v3/accountStates?address=${addresses.join('&address=')}` }),
    },
    {
      name: 'orders',
      request: (k) => ({
        path: `/api/v3/multisig/orders?${query({ multisig_address: multisig, parse_actions: 'true', limit: k % 2 === 0 ? 1000 : 10 })}`,
      }),
    },
    { name: 'nested JSON', request: (k) => ({ path: '/api/v3/decode', body: { bodies: nested(50 + (k % 100)) } }) },
    {
      // The interface takes no lists of calls: thirty callers at once.
      name: 'batches',
      request: (k) => ({
        path: '/api/v2/jsonRPC',
        body: {
          jsonrpc: '2.0',
          id: k,
          method: 'runGetMethod',
          params: { address: contract(k), method: 'get_wallet_data', stack: [] },
        },
        allowed: METHOD_FAILURES,
        atOnce: 30,
      }),
    },
    { name: 'descriptions', request: (k) => ({ path: k % 2 === 0 ? '/api/v3/openapi.json' : '/api/v2/openapi.json' }) },
    { name: 'pages', request: (k) => ({ path: ['/', '/docs', `/account/${target}`][k % 3]! }) },
    { name: 'pending', request: () => ({ path: `/api/v3/pendingTraces?${query({ account: target })}` }) },
  ]
}
