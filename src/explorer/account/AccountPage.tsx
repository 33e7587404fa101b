import { useState } from 'preact/hooks'
import type { Subscription } from '../../client/streamEvents.ts'
import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { useStream } from '../live/useStream.ts'
import { findRawAddress, formatFriendly, hashToHex, shorten } from '../model/addresses.ts'
import { filterNames } from '../model/filters.ts'
import { groupDigits } from '../model/format.ts'
import { Card, CopyButton, Facts, Failure, Loading, lazy, Tabs } from '../parts/basics.tsx'
import { Hash } from '../parts/links.tsx'
import { useQuery } from '../route/Link.tsx'
import { AccountHead } from './AccountHead.tsx'
import { History, Transactions } from './histories.tsx'
import { Collectibles, JettonHoldings } from './holdings.tsx'

type State = V3Result<'accountStates'>['accounts'][number]

/** All forms of the address, and facts about the contract. On a phone they are folded: what the account did comes first there. */
const AccountFacts = ({ raw, state }: { readonly raw: string; readonly state: State | undefined }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card class={`account-facts ${isOpen ? 'is-open' : ''}`}>
      <button type="button" class="fold-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Address forms, code and last transaction
      </button>
      <div class="facts-pair">
        <Facts
          facts={[
            ['Bounceable', <Form text={formatFriendly(raw, { bounceable: true })} />],
            ['Non-bounceable', <Form text={formatFriendly(raw, { bounceable: false })} />],
            ['Raw', <Form text={raw.toLowerCase()} />],
            [
              'Workchain',
              raw.startsWith('-1:') ? 'masterchain' : raw.startsWith('0:') ? 'basechain' : raw.split(':')[0],
            ],
          ]}
        />
        <Facts
          facts={[
            ['Code', <MaybeHash hash={state?.code_hash} what="hash of the code" />],
            ['Data', <MaybeHash hash={state?.data_hash} what="hash of the data" />],
            state?.frozen_hash !== undefined && [
              'Frozen',
              <Hash hash={state.frozen_hash} what="hash of the frozen state" />,
            ],
            [
              'Last transaction',
              state === undefined ? (
                <span class="muted">none</span>
              ) : (
                <Hash
                  hash={state.last_transaction_hash}
                  what="hash of the last transaction"
                  to={{ page: 'transaction', hash: hashToHex(state.last_transaction_hash) }}
                />
              ),
            ],
            [
              'Last transaction lt',
              <span class="mono">{state === undefined ? '–' : groupDigits(state.last_transaction_lt)}</span>,
            ],
          ]}
        />
      </div>
    </Card>
  )
}

const Form = ({ text }: { readonly text: string }) => (
  <span class="with-copy">
    <span class="mono" title={text}>
      {shorten(text, 10, 8)}
    </span>
    <CopyButton text={text} what="address in this form" />
  </span>
)

const MaybeHash = ({ hash, what }: { readonly hash: string | undefined; readonly what: string }) =>
  hash === undefined ? <span class="muted">none</span> : <Hash hash={hash} what={what} />

const BalanceTab = lazy(async () => (await import('./BalanceTab.tsx')).BalanceTab)
const ContractTab = lazy(async () => (await import('./contract/ContractTab.tsx')).ContractTab)

/** What belongs to one tab does not go along to another. */
const noFilters = Object.fromEntries(filterNames.map((name) => [name, undefined]))

type View = 'history' | 'transactions' | 'balance' | 'jettons' | 'collectibles' | 'methods' | 'code'

const tabs = [
  { key: 'history', title: 'History' },
  { key: 'transactions', title: 'Transactions' },
  { key: 'balance', title: 'Balance' },
  { key: 'jettons', title: 'Jettons' },
  { key: 'collectibles', title: 'NFTs' },
  { key: 'methods', title: 'Get-methods' },
  { key: 'code', title: 'Code' },
] as const satisfies readonly { key: View; title: string }[]

export const AccountPage = ({ address }: { readonly address: string }) => {
  const raw = findRawAddress(address)
  if (raw === undefined) return <Failure error={new Error(`${address} is not a valid address.`)} />
  return <Account key={raw} raw={raw} />
}

/** Transactions as soon as they are final, actions as soon as they are pending. */
const eventsOf = (raw: string): Subscription => ({
  types: ['transactions', 'actions', 'account_state_change'],
  addresses: [raw],
  min_finality: 'pending',
  deliver: 'transaction',
  include_address_book: true,
  include_metadata: true,
})

const Account = ({ raw }: { readonly raw: string }) => {
  const [query, setQuery] = useQuery()
  const view: View = tabs.find(({ key }) => key === query.get('tab'))?.key ?? 'history'
  const stream = useStream(eventsOf(raw))
  const { value, error } = useRequest(
    `account ${raw}`,
    async (signal) => {
      const [{ result }] = await Promise.all([
        callV3('accountStates', { address: [raw], include_boc: false }, signal),
        callV3('addressBook', { address: [raw] }, signal),
      ])
      return result.accounts
    },
    { pollMs: 2 * SECOND, stream, onEvent: ({ type }) => (type === 'account_state_change' ? true : undefined) },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const [state] = value
  return (
    <>
      <AccountHead
        raw={raw}
        balance={state?.balance ?? '0'}
        status={state?.status ?? 'nonexist'}
        interfaces={state?.interfaces ?? []}
      />
      {error !== undefined && <Failure error={error} />}
      <AccountFacts raw={raw} state={state} />
      <Tabs
        label="Account"
        tabs={tabs}
        current={view}
        onChange={(tab) => setQuery({ ...noFilters, tab: tab === 'history' ? undefined : tab, call: undefined })}
      />
      <div role="tabpanel">
        {view === 'history' && <History raw={raw} stream={stream} />}
        {view === 'transactions' && <Transactions raw={raw} stream={stream} />}
        {view === 'balance' && <BalanceTab raw={raw} lastLt={state?.last_transaction_lt} />}
        {view === 'jettons' && <JettonHoldings owner={raw} />}
        {view === 'collectibles' && <Collectibles owner={raw} />}
        {(view === 'methods' || view === 'code') && <ContractTab view={view} raw={raw} state={state} />}
      </div>
    </>
  )
}
