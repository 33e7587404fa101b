import { type Equal, expectType } from '../../test/support/expectType.ts'
import type { TransactionView } from '../api/v3/views/transactions.ts'
import { createClient } from './createClient.ts'

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
  await client.dev.faucet({ address: 'EQ' })
  const { status } = await client.sendAndWait({ boc: '', timeout: 60 })
  expectType<Equal<typeof status, 'finalized' | 'pending' | 'not_accepted' | 'expired' | 'lost'>>()
  for await (const { lt } of client.items('transactions', { account: ['EQ'] })) expectType<Equal<typeof lt, string>>()
  for await (const page of client.pages('jettonWallets', {})) {
    expectType<Equal<typeof page, Awaited<ReturnType<typeof client.v3.jettonWallets>>>>()
  }
  for await (const event of client.subscribe({ types: ['transactions', 'blocks'], addresses: ['EQ'] })) {
    if (event.type === 'transactions') expectType<Equal<typeof event.transactions, TransactionView[]>>()
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
