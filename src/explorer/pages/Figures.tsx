import type { ComponentChildren } from 'preact'
import { askV3 } from '../fetch/askV3.ts'
import { useAsk } from '../live/useAsk.ts'
import type { BlockFeed, BlockGroup } from '../live/useBlockFeed.ts'
import { SECOND } from '../live/usePolling.ts'
import { groupDigits } from '../model/amounts.ts'
import { formatDuration } from '../model/times.ts'
import { Amount } from '../parts/Amount.tsx'
import { BarChart, LineChart } from '../parts/Chart.tsx'

const SHOWN = 48
const FEES = 40

/** How the network does, in four figures and their last minute. */
export const Figures = ({ feed: { groups, lags } }: { readonly feed: BlockFeed }) => {
  const shown = groups.slice(0, SHOWN)
  const [newest] = groups
  const seconds = spanOf(shown)
  const perSecond = seconds === 0 ? undefined : countTransactions(shown) / seconds
  const interval = shown.length < 2 ? undefined : (1000 * seconds) / (shown.length - 1)
  const lag = lags.at(-1)
  return (
    <section class="figures" aria-label="Figures">
      <Figure
        title="Newest block"
        value={newest === undefined ? undefined : groupDigits(newest.seqno)}
        detail={interval === undefined ? '' : `one every ${formatDuration(interval)}`}
      >
        <LineChart values={intervalsOf(shown)} label="Seconds from block to block" />
      </Figure>
      <Figure
        title="Transactions a second"
        value={perSecond === undefined ? undefined : perSecond.toFixed(perSecond < 10 ? 1 : 0)}
        detail={`${groupDigits(countTransactions(shown))} in ${shown.length} blocks`}
      >
        <BarChart values={shown.map(({ transactions }) => transactions).reverse()} label="Transactions in each block" />
      </Figure>
      <Figure
        title="Index lag"
        value={lag === undefined ? undefined : formatDuration(lag)}
        detail="age of the newest indexed block"
      >
        <LineChart values={lags} label="Age of the newest indexed block, at each look" />
      </Figure>
      <Fees />
    </section>
  )
}

const Fees = () => {
  const { value: fees } = useAsk(
    'fees',
    async (signal) => {
      const { result } = await askV3('transactions', { limit: FEES, workchain: 0 }, signal)
      return result.transactions.map(({ total_fees }) => BigInt(total_fees)).reverse()
    },
    { pollMs: 3 * SECOND },
  )
  const sum = fees?.reduce((total, fee) => total + fee, 0n) ?? 0n
  return (
    <Figure
      title="Fee of a transaction"
      value={
        fees === undefined || fees.length === 0 ? undefined : (
          <Amount value={sum / BigInt(fees.length)} maxFraction={6} />
        )
      }
      detail={fees === undefined ? '' : `mean of the last ${fees.length}`}
    >
      <BarChart values={(fees ?? []).map(Number)} label="Fees of the last transactions" />
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

/** Times of blocks are whole seconds: over a few of them they even out. */
const WINDOW = 5

const intervalsOf = (groups: readonly BlockGroup[]): number[] => {
  const times = groups.map(({ utime }) => utime).reverse()
  return times.slice(WINDOW).map((time, index) => (time - times[index]!) / WINDOW)
}
