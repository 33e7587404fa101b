import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import { useBlockFeed } from '../live/useBlockFeed.ts'
import { usePages } from '../live/usePages.ts'
import { SECOND } from '../live/usePolling.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { AddressLink } from '../parts/AddressLink.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Card } from '../parts/Card.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { setup } from '../setup.ts'
import { BlockStrip } from './BlockStrip.tsx'
import { FaucetForm } from './FaucetForm.tsx'
import { Figures } from './Figures.tsx'

export const HomePage = () => {
  const feed = useBlockFeed()
  return (
    <>
      <h1 class="hidden">The network now</h1>
      {feed.error !== undefined && <Failure error={feed.error} />}
      <Figures feed={feed} />
      <BlockStrip groups={feed.groups} />
      <div class="columns">
        <LatestActions head={feed.groups[0]?.seqno} />
        <div class="stack">
          {setup.hasControls && (
            <Card title="Get coins">
              <FaucetForm />
            </Card>
          )}
          <RichestAccounts />
        </div>
      </div>
    </>
  )
}

const LATEST = 25
// Every block has them, and nobody waits for them.
const DULL_SENDER = `-1:${'0'.repeat(64)}`

const LatestActions = ({ head }: { readonly head: number | undefined }) => {
  const pages = usePages(
    'latest actions',
    async (cursor, signal) => {
      const args = { limit: LATEST * 4, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await askV3('actions', args, signal)
      const rows = result.actions.filter(({ details }) => (details as { source?: unknown }).source !== DULL_SENDER)
      return { rows, cursor: next }
    },
    { idOf: ({ action_id }) => action_id, pollMs: 2 * SECOND },
  )
  const { rows, error } = pages
  return (
    <Card title="What happens" aside={head === undefined ? undefined : <span class="live">live</span>} class="feed">
      {error !== undefined && <Failure error={error} />}
      {rows === undefined && error === undefined && <Loading lines={8} />}
      {rows?.length === 0 && <Empty icon="clock">Nothing has happened yet.</Empty>}
      <ul class="actions">
        {rows?.slice(0, LATEST).map((action) => (
          <ActionRow key={action.action_id} action={action} />
        ))}
      </ul>
    </Card>
  )
}

const RichestAccounts = () => {
  const { value, error } = useAsk(
    'richest',
    async (signal) => {
      const { result } = await askV3('topAccountsByBalance', { limit: 8 }, signal)
      await askV3('addressBook', { address: result.map(({ account }) => account) }, signal)
      return result
    },
    { pollMs: 15 * SECOND },
  )
  return (
    <Card title="Largest balances">
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      <ol class="list">
        {value?.map(({ account, balance }) => (
          <li key={account}>
            <AddressLink raw={account} hasKind />
            <Amount value={balance} maxFraction={2} />
          </li>
        ))}
      </ol>
    </Card>
  )
}
