import type { ComponentChildren } from 'preact'
import type { StreamEvent } from '../../client/streamEvents.ts'
import { callV3 } from '../fetch/requests.ts'
import { type BlockFeed, type BlockGroup, useBlockFeed } from '../live/useBlockFeed.ts'
import { SECOND, usePages, useRequest } from '../live/usePolling.ts'
import { blockEvents, type Stream, useStream } from '../live/useStream.ts'
import { formatDuration, groupDigits } from '../model/format.ts'
import { ActionRow } from '../parts/ActionRow.tsx'
import { Amount } from '../parts/Amount.tsx'
import { Card, Empty, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, TimeAgo } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { setup } from '../setup.ts'
import { FaucetForm } from './FaucetPage.tsx'

const STRIP_LENGTH = 24
const MASTER_SHARD = '8000000000000000'

/** The newest masterchain blocks with their shard blocks, newest on the left. */
const BlockStrip = ({ feed: { groups, isLoading } }: { readonly feed: BlockFeed }) => {
  const shown = groups.slice(0, STRIP_LENGTH)
  const busiest = Math.max(1, ...shown.map(({ transactions }) => transactions))
  return (
    <section class="strip" aria-label="Newest blocks">
      {isLoading &&
        Array.from({ length: 10 }, (_, index) => <span key={`empty ${index}`} class="strip-block is-empty" />)}
      {shown.map(({ seqno, utime, transactions, shards }) => (
        <Link key={seqno} to={{ page: 'block', workchain: -1, shard: MASTER_SHARD, seqno }} class="strip-block">
          <span class="strip-seqno">{groupDigits(seqno)}</span>
          <span class="strip-count">{transactions} tx</span>
          <meter class="strip-bar" min={0} max={busiest} value={transactions} aria-hidden="true" />
          <span class="strip-foot">
            <TimeAgo utime={utime} />
            <span title={`${shards.length} shard blocks`}>{'▪'.repeat(Math.min(4, shards.length))}</span>
          </span>
        </Link>
      ))}
    </section>
  )
}

type ChartProps = { readonly values: readonly number[]; readonly label: string }

const WIDTH = 160
const HEIGHT = 36

/** A line chart. */
const LineChart = ({ values, label }: ChartProps) => {
  const max = Math.max(...values, 0) || 1
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, index) => `${(index * step).toFixed(1)} ${heightOf(value, max)}`)
  const line = points.length < 2 ? '' : `M${points.join('L')}`
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {line !== '' && <path class="chart-area" d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />}
      {line !== '' && <path class="chart-line" d={line} />}
    </svg>
  )
}

/** A bar chart. */
const BarChart = ({ values, label }: ChartProps) => {
  const max = Math.max(...values, 0) || 1
  const step = WIDTH / Math.max(1, values.length)
  const bars = values.map((value, index) => {
    const top = heightOf(value, max)
    return `M${(index * step + step * 0.15).toFixed(2)} ${HEIGHT}V${top}h${(step * 0.7).toFixed(2)}V${HEIGHT}z`
  })
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="chart-bars" d={bars.join('')} />
    </svg>
  )
}

const heightOf = (value: number, max: number): string => (HEIGHT - 1.5 - (value / max) * (HEIGHT - 4)).toFixed(1)

/** Transactions of the basechain; those of the masterchain are in every block. */
const hasTransactions = (event: StreamEvent): true | undefined =>
  event.type === 'block' && event.block.workchain !== -1 && event.transactions_count > 0 ? true : undefined

const CHART_LENGTH = 48
const FEES = 40

/** Network statistics of the last minute. */
const NetworkStats = ({ feed: { groups, lags }, stream }: { readonly feed: BlockFeed; readonly stream: Stream }) => {
  const shown = groups.slice(0, CHART_LENGTH)
  const [newest] = groups
  const seconds = spanOf(shown)
  const perSecond = seconds === 0 ? undefined : countTransactions(shown) / seconds
  const interval = shown.length < 2 ? undefined : (1000 * seconds) / (shown.length - 1)
  const lag = lags.at(-1)
  return (
    <section class="figures" aria-label="Network stats">
      <Figure
        title="Newest block"
        value={newest === undefined ? undefined : groupDigits(newest.seqno)}
        detail={interval === undefined ? '' : `one every ${formatDuration(interval)}`}
      >
        <LineChart values={intervalsOf(shown)} label="Block interval in seconds" />
      </Figure>
      <Figure
        title="Transactions per second"
        value={perSecond === undefined ? undefined : perSecond.toFixed(perSecond < 10 ? 1 : 0)}
        detail={`${groupDigits(countTransactions(shown))} in ${shown.length} blocks`}
      >
        <BarChart values={shown.map(({ transactions }) => transactions).reverse()} label="Transactions per block" />
      </Figure>
      <Figure
        title="Index lag"
        value={lag === undefined ? undefined : formatDuration(lag)}
        detail="age of the newest indexed block"
      >
        <LineChart values={lags} label="Age of the newest indexed block" />
      </Figure>
      <Fees stream={stream} />
    </section>
  )
}

const Fees = ({ stream }: { readonly stream: Stream }) => {
  const { value: fees } = useRequest(
    'fees',
    async (signal) => {
      const { result } = await callV3('transactions', { limit: FEES, workchain: 0 }, signal)
      return result.transactions.map(({ total_fees }) => BigInt(total_fees)).reverse()
    },
    { pollMs: 3 * SECOND, stream, onEvent: hasTransactions },
  )
  const sum = fees?.reduce((total, fee) => total + fee, 0n) ?? 0n
  return (
    <Figure
      title="Transaction fee"
      value={
        fees === undefined || fees.length === 0 ? undefined : (
          <Amount value={sum / BigInt(fees.length)} maxFraction={6} />
        )
      }
      detail={fees === undefined ? '' : `mean of the last ${fees.length}`}
    >
      <BarChart values={(fees ?? []).map(Number)} label="Fees of the latest transactions" />
    </Figure>
  )
}

type FigureProps = {
  readonly title: string
  readonly value: ComponentChildren | undefined
  readonly detail: string
  readonly children: ComponentChildren
}

const Figure = ({ title, value, detail, children }: FigureProps) => (
  <div class="figure">
    <h2>{title}</h2>
    <p class="figure-value">{value ?? <span class="muted">–</span>}</p>
    <p class="figure-detail">{detail}</p>
    {children}
  </div>
)

const spanOf = (groups: readonly BlockGroup[]): number =>
  groups.length < 2 ? 0 : groups[0]!.utime - groups.at(-1)!.utime

const countTransactions = (groups: readonly BlockGroup[]): number =>
  groups.reduce((sum, { transactions }) => sum + transactions, 0)

/** Block times are whole seconds, so intervals are averaged. */
const WINDOW = 5

const intervalsOf = (groups: readonly BlockGroup[]): number[] => {
  const times = groups.map(({ utime }) => utime).reverse()
  return times.slice(WINDOW).map((time, index) => (time - times[index]!) / WINDOW)
}

export const HomePage = () => {
  const stream = useStream(blockEvents)
  const feed = useBlockFeed(stream)
  return (
    <>
      <h1 class="hidden">Network</h1>
      {feed.error !== undefined && <Failure error={feed.error} />}
      <NetworkStats feed={feed} stream={stream} />
      <BlockStrip feed={feed} />
      <div class="columns">
        <LatestActions head={feed.groups[0]?.seqno} stream={stream} />
        <div class="stack">
          {setup.hasControls && (
            <Card title="Get coins">
              <FaucetForm />
            </Card>
          )}
          <RichestAccounts stream={stream} />
        </div>
      </div>
    </>
  )
}

const LATEST = 25
// System actions of every block are hidden.
const DULL_SENDER = `-1:${'0'.repeat(64)}`

const LatestActions = ({ head, stream }: { readonly head: number | undefined; readonly stream: Stream }) => {
  const pages = usePages(
    'latest actions',
    async (cursor, signal) => {
      const args = { limit: LATEST * 4, ...(cursor !== undefined && { cursor }) }
      const { result, cursor: next } = await callV3('actions', args, signal)
      const rows = result.actions.filter(({ details }) => (details as { source?: unknown }).source !== DULL_SENDER)
      return { rows, cursor: next }
    },
    { idOf: ({ action_id }) => action_id, pollMs: 2 * SECOND, stream, rowsOf: (event) => hasTransactions(event) ?? [] },
  )
  const { rows, error } = pages
  return (
    <Card title="Latest actions" aside={head === undefined ? undefined : <span class="live">live</span>} class="feed">
      {error !== undefined && <Failure error={error} />}
      {rows === undefined && error === undefined && <Loading lines={8} />}
      {rows?.length === 0 && <Empty icon="clock">No actions yet.</Empty>}
      <ul class="actions">
        {rows?.slice(0, LATEST).map((action) => (
          <ActionRow key={action.action_id} action={action} />
        ))}
      </ul>
    </Card>
  )
}

const RichestAccounts = ({ stream }: { readonly stream: Stream }) => {
  const { value, error } = useRequest(
    'richest',
    async (signal) => {
      const { result } = await callV3('topAccountsByBalance', { limit: 8 }, signal)
      await callV3('addressBook', { address: result.map(({ account }) => account) }, signal)
      return result
    },
    { pollMs: 15 * SECOND, stream, onEvent: hasTransactions },
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
