import assert from 'node:assert/strict'
import type { DemoPlan } from '../../src/devnet/demo/deployDemo.ts'
import { getV3, type Json } from './v3Client.ts'
import { rawText } from './v3Demo.ts'

type Args = { readonly [name: string]: string | readonly string[] }

/** A question, and a place in its order: the name of the order, and what rows are ordered by. */
export type V3Place = { readonly name: string; readonly args: Args; readonly values: readonly string[] }

const write = (values: unknown): string => Buffer.from(JSON.stringify(values)).toString('base64url')
const read = (cursor: string): string[] => JSON.parse(Buffer.from(cursor, 'base64url').toString())

/** Asked for one row only, and without what stands beside: what counts is whether the database takes the place. */
const bare = { limit: '1', x_no_address_book: 'true', x_no_metadata: 'true' }

/** A place in every order that the interface has. Most are those that it gives out on the demonstration. */
export const findV3Places = async (url: string, plan: DemoPlan): Promise<V3Place[]> => {
  const ask = (name: string, args: Args) => getV3(`${url}/api/v3`, name, { ...args, ...bare })
  const { transactions } = (await getV3(`${url}/api/v3`, 'transactions', { limit: 5 })).body
  const places: V3Place[] = []
  for (const [name, args] of listQuestions(plan, transactions)) {
    const { status, body, headers } = await ask(name, args)
    assert.equal(status, 200, `${name} ${JSON.stringify(args)}: ${JSON.stringify(body)}`)
    const cursor = headers.get('x-next-cursor')
    assert.ok(cursor !== null, `${name} ${JSON.stringify(args)} has one row at most`)
    places.push({ name, args: { ...args, ...bare }, values: read(cursor) })
  }
  for (const { name, args, values } of listFirstPlaces(plan)) {
    const { status, body } = await ask(name, { ...args, cursor: write(values) })
    assert.equal(status, 200, `${name} has another order than ${values[0]}: ${JSON.stringify(body)}`)
    places.push({ name, args: { ...args, ...bare }, values })
  }
  return places
}

const listQuestions = (plan: DemoPlan, newest: readonly Json[]): [name: string, args: Args][] => {
  const someone = rawText(plan.jetton.admin.wallet.address)
  const everyone = plan.accounts.map(({ wallet }) => rawText(wallet.address))
  const hashes: string[] = newest.map(({ hash }) => hash)
  const accounts = [...new Set<string>(newest.map(({ account }) => account))]
  const since = { start_utime: '1' }
  const jetton = { jetton_address: rawText(plan.jetton.address) }
  const windowed = [
    'blocks',
    'messages',
    'transactions',
    'traces',

    'actions',
    'jetton/transfers',
    'nft/transfers',
  ]
  return [
    ...windowed.flatMap((name): [string, Args][] => [
      [name, {}],
      [name, since],
      [name, { sort: 'asc' }],
      [name, { ...since, sort: 'asc' }],
    ]),
    ['topAccountsByBalance', {}],
    ['events', {}],
    ['transactionsByMessage', { opcode: '0' }],
    ['transactionsByMasterchainBlock', { seqno: '3' }],
    ['masterchainBlockShards', { seqno: '3' }],
    ['transactions', { hash: hashes }],
    ['transactions', { account: someone }],
    ['transactions', { account: someone, ...since }],
    ['transactions', { account: accounts }],
    ['transactions', { account: accounts, ...since }],
    ['messages', { source: someone }],
    ['messages', { destination: someone, ...since }],
    ['messages', { opcode: '0' }],
    ['traces', { account: someone }],
    ['traces', { account: someone, ...since }],
    ['traces', { tx_hash: hashes }],
    ['actions', { account: someone }],
    ['actions', { account: someone, ...since }],
    ['actions', { tx_hash: hashes }],
    ['jetton/wallets', {}],
    ['jetton/wallets', jetton],
    ['jetton/wallets', { ...jetton, sort: 'desc' }],
    ['jetton/wallets', { owner_address: everyone }],
    ['jetton/wallets', { owner_address: everyone, sort: 'asc' }],
    ['nft/collections', {}],
    ['nft/items', {}],
    ['nft/items', { collection_address: rawText(plan.collection.address) }],
    ['nft/items', { sort_by_last_transaction_lt: 'true' }],
    ['nft/items', { owner_address: everyone }],
    ['nft/items', { owner_address: everyone, include_on_sale: 'true' }],
  ]
}

const noAddress = `b${'00'.repeat(33)}`
const start = ['n0', noAddress]

/** Lists of which the demonstration has one row, or none, have no second page to point to. */
const listFirstPlaces = (plan: DemoPlan): V3Place[] => {
  const someone = rawText(plan.jetton.admin.wallet.address)
  return [
    { name: 'jetton/masters', args: {}, values: ['since asc', ...start] },
    { name: 'jetton/burns', args: {}, values: ['lt desc', ...start] },
    { name: 'dns/records', args: { wallet: someone }, values: ['length', 'i3', 'ta.ton', noAddress] },
    { name: 'multisig/wallets', args: { wallet_address: someone }, values: ['since desc', ...start] },
    {
      name: 'multisig/orders',
      args: { multisig_address: rawText(plan.multisig.address) },
      values: ['since desc', ...start],
    },
    { name: 'vesting', args: { wallet_address: someone }, values: ['since asc', ...start] },
  ]
}

const huge = '9'.repeat(60)

const strangeValues = [
  `n${huge}`,
  `n-${huge}`,
  'n5',
  'i5',
  'i-9999999999',
  't',
  'tabc',
  't\u0000',
  'b',
  'b00',
  `b${'ff'.repeat(300)}`,
]

const PER_VALUE = 2
let turn = 0

/** Cursors of the right order with values that it does not have, or too few or too many of them. */
export const forgeCursors = ({ name, args, values: [order, ...key] }: V3Place) => {
  const made = [
    ...key.flatMap((_, at) =>
      Array.from({ length: PER_VALUE }, () => [order, ...key.with(at, strangeValues[turn++ % strangeValues.length]!)]),
    ),
    [order, ...key, 'n5'],
    [order, ...key.slice(1)],
    [`${order}x`, ...key],
    [order],
  ]
  return made.map((values) => ({ name, args, cursor: write(values), said: JSON.stringify(values) }))
}

/** Texts that are no cursors at all. */
export const nonsense = [
  '',
  'x',
  'AAAA',
  '%%%',
  write([]),
  write([1]),
  write(['lt desc', null]),
  write(['lt desc', 'q1']),
  write({}),
  'A'.repeat(2000),
]
