import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { tokenOf } from '../model/addressBook.ts'
import { groupDigits, splitAmount } from '../model/format.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { JettonAmount } from '../parts/Amount.tsx'
import { Badge, Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, Hash } from '../parts/links.tsx'
import { imageUrl } from './imageUrl.ts'
import { EntityHead, noteOf, Paged, Share, Stats, TransferRow, Views } from './parts.tsx'

type Master = V3Result<'jetton/masters'>['jetton_masters'][number]

const DEFAULT_DECIMALS = 9

/** A jetton: what it says of itself, who holds it, and where it goes. */
export const JettonPage = ({ raw }: { readonly raw: string }) => {
  const { value, error } = useRequest(
    `jetton ${raw}`,
    async (signal) => {
      const [masters, stats] = await Promise.all([
        callV3('jetton/masters', { address: [raw], limit: 1 }, signal),
        callV3('jetton/stats', { jetton_address: raw }, signal),
      ])
      return { master: masters.result.jetton_masters[0], stats: stats.result }
    },
    { pollMs: 5 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { master, stats } = value
  if (master === undefined) return <Failure error={new Error('There is no jetton at this address.')} />
  return (
    <>
      <JettonHead raw={raw} master={master} />
      {error !== undefined && <Failure error={error} />}
      <JettonStats master={master} stats={stats} />
      <Views
        label="Jetton"
        tabs={[
          { key: 'holders', title: 'Holders' },
          { key: 'transfers', title: 'Transfers' },
          { key: 'history', title: 'History' },
          { key: 'details', title: 'Details' },
        ]}
      >
        {(view) => (
          <>
            {view === 'holders' && <Holders raw={raw} supply={BigInt(master.total_supply)} />}
            {view === 'transfers' && <Transfers raw={raw} />}
            {view === 'history' && <EntityHistory raw={raw} />}
            {view === 'details' && <JettonDetails master={master} />}
          </>
        )}
      </Views>
    </>
  )
}

const JettonHead = ({ raw, master }: { readonly raw: string; readonly master: Master }) => {
  const info = tokenOf(raw, 'jetton_masters')
  const content = master.jetton_content
  const name = info?.name ?? content?.['name'] ?? 'Unnamed jetton'
  const symbol = info?.symbol ?? content?.['symbol']
  return (
    <EntityHead
      raw={raw}
      kind="Jetton"
      title={
        <>
          {name} {symbol !== undefined && <span class="muted">{symbol}</span>}
        </>
      }
      name={symbol ?? name}
      url={imageUrl(raw, info, content)}
      description={info?.description ?? content?.['description']}
      badges={
        <>
          {info?.is_scam === true && <Badge tone="bad">scam</Badge>}
          <Badge tone={master.mintable ? 'warn' : 'good'}>{master.mintable ? 'mintable' : 'fixed supply'}</Badge>
        </>
      }
    />
  )
}

const JettonStats = ({ master, stats }: { readonly master: Master; readonly stats: V3Result<'jetton/stats'> }) => {
  const decimals = decimalsOf(master)
  const symbol = tokenOf(master.address, 'jetton_masters')?.symbol ?? master.jetton_content?.['symbol']
  const { whole, fraction } = splitAmount(BigInt(master.total_supply), decimals, 2)
  return (
    <Stats
      stats={[
        [
          'Total supply',
          <span class="amount">
            {whole}
            {fraction !== '' && <span class="fraction">.{fraction}</span>}
            {symbol !== undefined && <span class="unit">{symbol}</span>}
          </span>,
        ],
        ['Holders', `${groupDigits(stats.holders)}${stats.is_complete ? '' : '+'}`],
        ['Decimals', decimals],
        [
          'Admin',
          master.admin_address === null ? <span class="muted">none</span> : <AddressLink raw={master.admin_address} />,
        ],
      ]}
    />
  )
}

const decimalsOf = ({ address, jetton_content: content }: Master): number => {
  const stated = tokenOf(address, 'jetton_masters')?.extra?.['decimals'] ?? content?.['decimals'] ?? DEFAULT_DECIMALS
  const decimals = Number(stated)
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 255 ? decimals : DEFAULT_DECIMALS
}

const HOLDERS_PER_PAGE = 50

const Holders = ({ raw, supply }: { readonly raw: string; readonly supply: bigint }) => {
  const pages = usePages(
    `holders of ${raw}`,
    async (cursor, signal) => {
      const more = cursor !== undefined && { cursor }
      const args = { jetton_address: [raw], exclude_zero_balance: true, sort: 'desc', limit: HOLDERS_PER_PAGE, ...more }
      const { result, cursor: next } = await callV3('jetton/wallets', args, signal)
      return { rows: result.jetton_wallets, cursor: next }
    },
    { idOf: ({ address }) => address },
  )
  return (
    <Paged pages={pages} icon="account" empty="Nobody holds this jetton.">
      {(rows) => (
        <ol class="ranking">
          {rows.map(({ address, owner, balance }, index) => (
            <li key={address}>
              <span class="ranking-place muted">{index + 1}</span>
              <AddressLink raw={owner} hasKind />
              <Share part={BigInt(balance)} whole={supply} label="Share of the supply" />
              <JettonAmount value={balance} jetton={raw} />
            </li>
          ))}
        </ol>
      )}
    </Paged>
  )
}

const TRANSFERS_PER_PAGE = 25

const Transfers = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `transfers of ${raw}`,
    async (cursor, signal) => {
      const args = { jetton_master: raw, limit: TRANSFERS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('jetton/transfers', args, signal)
      return { rows: result.jetton_transfers, cursor: next }
    },
    { idOf: ({ transaction_hash }) => transaction_hash, pollMs: 3 * SECOND },
  )
  return (
    <Paged pages={pages} icon="transaction" empty="No transfers yet.">
      {(rows) => (
        <ul class="actions">
          {rows.map((row) => (
            <TransferRow
              key={row.transaction_hash}
              title="Transfer"
              trace={row.trace_id}
              from={row.source}
              to={row.destination}
              utime={row.transaction_now}
              hasFailed={row.transaction_aborted}
              note={noteOf(row.decoded_forward_payload)}
            >
              <JettonAmount value={row.amount} jetton={raw} />
            </TransferRow>
          ))}
        </ul>
      )}
    </Paged>
  )
}

const ACTIONS_PER_PAGE = 25

/** All that happened with the contract itself. */
export const EntityHistory = ({ raw }: { readonly raw: string }) => {
  const pages = usePages(
    `history of ${raw}`,
    async (cursor, signal) => {
      const args = { account: raw, limit: ACTIONS_PER_PAGE, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('actions', args, signal)
      return { rows: result.actions, cursor: next }
    },
    { idOf: ({ action_id }) => action_id, pollMs: 3 * SECOND },
  )
  return (
    <Paged pages={pages} icon="clock" empty="No actions yet.">
      {(rows) => (
        <ul class="actions">
          {rows.map((action) => (
            <ActionRow key={action.action_id} action={action} self={raw} />
          ))}
        </ul>
      )}
    </Paged>
  )
}

const JettonDetails = ({ master }: { readonly master: Master }) => (
  <Card>
    <Facts
      facts={[
        ['Code', <Hash hash={master.code_hash} what="hash of the code" />],
        ['Data', <Hash hash={master.data_hash} what="hash of the data" />],
        ['Wallet code', <Hash hash={master.jetton_wallet_code_hash} what="hash of the wallet code" />],
        ...contentFacts(master.jetton_content),
      ]}
    />
  </Card>
)

/** On-chain content as it is, but for pictures. */
export const contentFacts = (content: Readonly<Record<string, string>> | null): [string, preact.ComponentChild][] =>
  Object.entries(content ?? {})
    .filter(([name, text]) => name !== 'image_data' && !text.startsWith('data:'))
    .map(([name, text]) => [name, <span class="value">{text}</span>])
