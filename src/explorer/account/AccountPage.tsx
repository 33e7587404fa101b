import { useState } from 'preact/hooks'
import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import { SECOND } from '../live/usePolling.ts'
import { findRawAddress } from '../model/Address.ts'
import { Failure, Loading } from '../parts/states.tsx'
import { Tabs } from '../parts/Tabs.tsx'
import { AccountFacts } from './AccountFacts.tsx'
import { AccountHead } from './AccountHead.tsx'
import { Collectibles } from './Collectibles.tsx'
import { History } from './History.tsx'
import { JettonHoldings } from './JettonHoldings.tsx'
import { Methods } from './Methods.tsx'
import { Transactions } from './Transactions.tsx'

type View = 'history' | 'transactions' | 'jettons' | 'collectibles' | 'methods'

const tabs = [
  { key: 'history', title: 'History' },
  { key: 'transactions', title: 'Transactions' },
  { key: 'jettons', title: 'Jettons' },
  { key: 'collectibles', title: 'NFTs' },
  { key: 'methods', title: 'Get-methods' },
] as const satisfies readonly { key: View; title: string }[]

export const AccountPage = ({ address }: { readonly address: string }) => {
  const raw = findRawAddress(address)
  if (raw === undefined) return <Failure error={new Error(`${address} is no address.`)} />
  return <Account key={raw} raw={raw} />
}

const Account = ({ raw }: { readonly raw: string }) => {
  const [view, setView] = useState<View>('history')
  const { value, error } = useAsk(
    `account ${raw}`,
    async (signal) => {
      const [{ result }] = await Promise.all([
        askV3('accountStates', { address: [raw], include_boc: false }, signal),
        askV3('addressBook', { address: [raw] }, signal),
      ])
      return result.accounts
    },
    { pollMs: 2 * SECOND },
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
      <Tabs label="About the account" tabs={tabs} current={view} onChange={(key) => setView(key)} />
      <div role="tabpanel">
        {view === 'history' && <History raw={raw} />}
        {view === 'transactions' && <Transactions raw={raw} />}
        {view === 'jettons' && <JettonHoldings owner={raw} />}
        {view === 'collectibles' && <Collectibles owner={raw} />}
        {view === 'methods' && <Methods raw={raw} ids={state?.contract_methods ?? []} />}
      </div>
    </>
  )
}
