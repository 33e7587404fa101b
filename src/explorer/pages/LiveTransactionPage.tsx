import { askV2, type V2Result } from '../fetch/askV2.ts'
import { useAsk } from '../live/useAsk.ts'
import { findRawAddress } from '../model/Address.ts'
import { groupDigits } from '../model/amounts.ts'
import { findHash, hashToBase64 } from '../model/Hash.ts'
import { formatTime } from '../model/times.ts'
import { AddressLink } from '../parts/AddressLink.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Card } from '../parts/Card.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import type { Route } from '../route/Route.ts'

type TransactionRoute = Extract<Route, { readonly page: 'transaction' }>

/** A transaction as a node has it. Without an index it is found only from its account. */
export const LiveTransactionPage = ({ route: { hash, account, lt } }: { readonly route: TransactionRoute }) => {
  const hex = findHash(hash)
  const isNamed = hex !== undefined && account !== undefined && lt !== undefined
  const { value, error } = useAsk(`live transaction ${hash}`, async (signal) =>
    isNamed ? askV2('getTransactions', { address: account, lt, hash: hashToBase64(hex), limit: 1 }, signal) : [],
  )
  if (!isNamed) {
    return (
      <Card>
        <Empty icon="transaction">Without an index a transaction is found only from its account or its block.</Empty>
      </Card>
    )
  }
  const transaction = value?.[0]
  return (
    <>
      <header class="page-head">
        <h1>Transaction</h1>
        <p class="page-id">
          <Hash hash={hex} what="hash" isWhole />
        </p>
      </header>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {transaction !== undefined && (
        <>
          <Card title="Summary">
            <Facts
              facts={[
                ['Account', <AddressLink raw={findRawAddress(account) ?? account} hasCopy />],
                ['Time', formatTime(transaction.utime)],
                ['Fee', <Amount value={String(transaction.fee)} />],
                ['For storage', <Amount value={String(transaction.storage_fee)} />],
                ['Logical time', <span class="mono">{groupDigits(String(transaction.transaction_id.lt))}</span>],
                ['Phases', <span class="muted">need the index</span>],
              ]}
            />
          </Card>
          <Messages transaction={transaction} />
        </>
      )}
    </>
  )
}

type Live = V2Result<'getTransactions'>[number]
type LiveMessage = NonNullable<Live['out_msgs'][number]>

const Messages = ({ transaction: { in_msg: received, out_msgs: sent } }: { readonly transaction: Live }) => (
  <div class="messages">
    {received != null && <LiveMessageCard title="Received" message={received as LiveMessage} />}
    {sent.map((message) => (
      <LiveMessageCard key={message.hash} title="Sent" message={message} />
    ))}
  </div>
)

const LiveMessageCard = ({ title, message }: { readonly title: string; readonly message: LiveMessage }) => {
  const [source, destination] = [findRawAddress(String(message.source)), findRawAddress(String(message.destination))]
  return (
    <Card title={title}>
      <Facts
        facts={[
          ['From', source === undefined ? <span class="muted">outside</span> : <AddressLink raw={source} />],
          ['To', destination === undefined ? <span class="muted">outside</span> : <AddressLink raw={destination} />],
          ['Value', <Amount value={String(message.value)} />],
          ['Hash', <Hash hash={message.hash} what="hash of the message" />],
        ]}
      />
    </Card>
  )
}
