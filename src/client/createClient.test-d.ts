import { type Equal, expectType } from '../../test/support/expectType.ts'
import { type Address, createClient, parseValues, readStack } from './createClient.ts'
import type { Transaction } from './generated/v3.ts'

const client = createClient({ url: 'http://localhost' })

export const useClient = async (): Promise<void> => {
  const { last } = await client.v2.getMasterchainInfo()
  expectType<Equal<typeof last.seqno, number>>()
  const { transactions } = await client.v3.transactions(
    { account: ['EQ'], limit: 5 },
    { signal: new AbortController().signal },
  )
  expectType<Equal<(typeof transactions)[number]['hash'], string>>()
  const { jetton_wallets: wallets } = await client.v3.jettonWallets({ owner_address: ['EQ'] })
  expectType<Equal<(typeof wallets)[number]['balance'], string>>()
  const { actions } = await client.v3.actions({ account: 'EQ', action_type: 'jetton_transfer' })
  for (const action of actions) {
    if (action.type === 'jetton_transfer') expectType<Equal<typeof action.details.amount, string>>()
    if (action.type === 'jetton_swap') expectType<Equal<typeof action.details.peer_swaps.length, number>>()
    // @ts-expect-error a transfer has no bidder
    if (action.type === 'ton_transfer') action.details.bidder
    const parsed = parseValues(action)
    expectType<Equal<typeof parsed.start_lt, bigint>>()
    if (parsed.type === 'jetton_transfer') {
      expectType<Equal<typeof parsed.details.amount, bigint>>()
      expectType<Equal<typeof parsed.details.sender, Address | null>>()
      expectType<Equal<typeof parsed.details.comment, string | null>>()
    }
  }
  const [transaction] = parseValues(await client.v3.transactions({ account: 'EQ', sort: 'asc' })).transactions
  expectType<Equal<NonNullable<typeof transaction>['total_fees'], bigint>>()
  expectType<Equal<NonNullable<typeof transaction>['account'], Address | null>>()
  expectType<Equal<NonNullable<typeof transaction>['hash'], string>>()
  // @ts-expect-error there is no such order
  await client.v3.transactions({ sort: 'down' })
  const result = await client.v3.runGetMethod({ address: 'EQ', method: 'seqno', stack: [] })
  expectType<Equal<ReturnType<ReturnType<typeof readStack>['readBigInt']>, bigint>>()
  readStack(result).readNumber()
  await client.dev.faucet({ address: 'EQ' })
  const { status } = await client.sendAndWait({ boc: '', timeout: 60 })
  expectType<Equal<typeof status, 'finalized' | 'pending' | 'not_accepted' | 'expired' | 'lost'>>()
  for await (const { lt } of client.items('transactions', { account: ['EQ'] })) expectType<Equal<typeof lt, string>>()
  for await (const page of client.pages('jettonWallets', {})) {
    expectType<Equal<typeof page, Awaited<ReturnType<typeof client.v3.jettonWallets>>>>()
  }
  for await (const event of client.subscribe({ types: ['transactions', 'blocks'], addresses: ['EQ'] })) {
    if (event.type === 'transactions') expectType<Equal<typeof event.transactions, Transaction[]>>()
    if (event.type === 'block') expectType<Equal<typeof event.block.seqno, number>>()
    if (event.type === 'gap') expectType<Equal<typeof event.lost, 'speculative' | 'all'>>()
    // @ts-expect-error it was not subscribed to
    if (event.type === 'actions') return
  }
  // @ts-expect-error there is no such type
  client.subscribe({ types: ['everything'] })
  // @ts-expect-error its arguments are not optional
  await client.v2.getAddressInformation()
  // @ts-expect-error there is no such endpoint
  await client.v2.getEverything()
  // @ts-expect-error it gives no list by pages
  client.pages('masterchainInfo', {})
}
