import type { ActionView } from '../../api/v3/views/actions.ts'
import type { StreamEvent, Subscription } from '../../client/streamEvents.ts'
import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { type Stream, useStream } from '../live/useStream.ts'
import { findRawAddress, formatFriendly, hashToHex, shorten } from '../model/addresses.ts'
import { groupDigits } from '../model/format.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Card, CopyButton, Empty, Facts, Failure, Loading, LoadMore, lazy, Tabs } from '../parts/basics.tsx'
import { Hash } from '../parts/links.tsx'
import { TransactionRows } from '../parts/TransactionRows.tsx'
import { useQuery } from '../route/Link.tsx'
import { AccountHead } from './AccountHead.tsx'
import { Collectibles, JettonHoldings } from './holdings.tsx'

type State = V3Result<'accountStates'>['accounts'][number]

/** All forms of the address, and facts about the contract. */
const AccountFacts = ({ raw, state }: { readonly raw: string; readonly state: State | undefined }) => (
  <Card>
    <div class="facts-pair">
      <Facts
        facts={[
          ['Bounceable', <Form text={formatFriendly(raw, { bounceable: true })} />],
          ['Non-bounceable', <Form text={formatFriendly(raw, { bounceable: false })} />],
          ['Raw', <Form text={raw.toLowerCase()} />],
          ['Workchain', raw.startsWith('-1:') ? 'masterchain' : raw.startsWith('0:') ? 'basechain' : raw.split(':')[0]],
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

const ACTIONS_PER_PAGE = 25

type ListProps = { readonly raw: string; readonly stream: Stream }

/** Actions of an account, pending ones first. */
const History = ({ raw, stream }: ListProps) => {
  const pages = usePages(
    `history of ${raw}`,
    async (cursor, signal) => {
      const args = { account: raw, limit: ACTIONS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('actions', args, signal)
      return { rows: result.actions, cursor: next }
    },
    {
      idOf: ({ action_id }) => action_id,
      pollMs: 2 * SECOND,
      stream,
      rowsOf: (event) => (event.type === 'actions' && event.finality === 'finalized' ? event.actions : []),
    },
  )
  const pending = useRequest(
    `pending of ${raw}`,
    async (signal) => (await callV3('pendingActions', { account: raw }, signal)).result.actions,
    { pollMs: SECOND, stream, onEvent: updatePending },
  )
  const coming = leaveOutKnown(pending.value ?? [], pages.rows ?? [])
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading lines={8} />}
      {pages.rows?.length === 0 && coming.length === 0 && <Empty icon="clock">No actions yet.</Empty>}
      <ul class="actions">
        {coming.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
        {pages.rows?.map((action) => (
          <ActionRow key={action.action_id} action={action} self={raw} />
        ))}
      </ul>
      <LoadMore pages={pages} />
    </Card>
  )
}

/** An event replaces what was known of its trace. */
const updatePending = (event: StreamEvent, known: readonly ActionView[]): readonly ActionView[] | undefined => {
  if (event.type !== 'actions' && event.type !== 'trace_invalidated') return undefined
  const others = known.filter(
    ({ trace_external_hash: hash, trace_external_hash_norm: norm = hash }) => norm !== event.trace_external_hash_norm,
  )
  return event.type === 'actions' && event.finality !== 'finalized' ? [...event.actions, ...others] : others
}

const leaveOutKnown = (pending: readonly ActionView[], known: readonly ActionView[]): ActionView[] => {
  const begun = new Set(known.map(({ trace_external_hash }) => trace_external_hash))
  return pending.filter(({ trace_external_hash }) => !begun.has(trace_external_hash))
}

const TRANSACTIONS_PER_PAGE = 25

const Transactions = ({ raw, stream }: ListProps) => {
  const pages = usePages(
    `transactions of ${raw}`,
    async (cursor, signal) => {
      const args = { account: [raw], limit: TRANSACTIONS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('transactions', args, signal)
      return { rows: result.transactions, cursor: next }
    },
    {
      idOf: ({ hash }) => hash,
      pollMs: 2 * SECOND,
      stream,
      rowsOf: (event) => (event.type === 'transactions' && event.finality === 'finalized' ? event.transactions : []),
    },
  )
  return (
    <Card>
      {pages.error !== undefined && <Failure error={pages.error} />}
      {pages.rows === undefined && pages.error === undefined && <Loading lines={8} />}
      {pages.rows?.length === 0 && <Empty icon="transaction">No transactions yet.</Empty>}
      {pages.rows !== undefined && pages.rows.length > 0 && (
        <TransactionRows transactions={pages.rows} hasAccount={false} />
      )}
      <LoadMore pages={pages} />
    </Card>
  )
}

const ContractTab = lazy(async () => (await import('./contract/ContractTab.tsx')).ContractTab)

type View = 'history' | 'transactions' | 'jettons' | 'collectibles' | 'methods' | 'code'

const tabs = [
  { key: 'history', title: 'History' },
  { key: 'transactions', title: 'Transactions' },
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
        onChange={(tab) => setQuery({ tab: tab === 'history' ? undefined : tab, call: undefined })}
      />
      <div role="tabpanel">
        {view === 'history' && <History raw={raw} stream={stream} />}
        {view === 'transactions' && <Transactions raw={raw} stream={stream} />}
        {view === 'jettons' && <JettonHoldings owner={raw} />}
        {view === 'collectibles' && <Collectibles owner={raw} />}
        {(view === 'methods' || view === 'code') && <ContractTab view={view} raw={raw} state={state} />}
      </div>
    </>
  )
}
