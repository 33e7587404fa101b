import type { TargetedPointerEvent } from 'preact'
import { useState } from 'preact/hooks'
import { callV3 } from '../fetch/requests.ts'
import { useRequest } from '../live/usePolling.ts'
import { type BalancePoint, drawBalances, findNearest } from '../model/balanceChart.ts'
import { formatTime, splitAmount } from '../model/format.ts'
import { Amount } from '../parts/Amount.tsx'
import { Card, Empty, Failure, Loading } from '../parts/basics.tsx'
import { setup } from '../setup.ts'

const MAX_POINTS = 200

type BalanceProps = {
  readonly raw: string
  /** Asks again after each transaction. */
  readonly lastLt: string | undefined
}

/** The balance of an account over time. */
export const BalanceTab = ({ raw, lastLt }: BalanceProps) => {
  const { value, error } = useRequest(`balances of ${raw} ${lastLt}`, async (signal) => {
    const { result } = await callV3('accountBalances', { address: raw, limit: MAX_POINTS }, signal)
    const points = result.balances.map(({ utime, balance }) => ({ utime, balance: BigInt(balance) }))
    return { points, isSampled: result.is_sampled }
  })
  const [kept, keep] = useState<typeof value>(undefined)
  if (value !== undefined && value !== kept) keep(value)
  // The chart stays while a newer one is loaded.
  const shown = value ?? kept
  if (error !== undefined) return <Failure error={error} />
  if (shown === undefined) return <Loading lines={8} />
  const { points, isSampled } = shown
  return (
    <Card
      title="Balance"
      aside={
        <span class="muted small">
          {isSampled ? `${points.length} points over the whole history` : `after each of ${points.length} transactions`}
        </span>
      }
    >
      {points.length === 0 ? <Empty icon="gauge">No transactions yet.</Empty> : <Chart points={points} />}
    </Card>
  )
}

const WIDTH = 1000
const HEIGHT = 240

const Chart = ({ points }: { readonly points: readonly BalancePoint[] }) => {
  const [selected, select] = useState<number>()
  const chart = drawBalances(points, WIDTH, HEIGHT)
  const index = Math.min(selected ?? points.length - 1, points.length - 1)
  const { utime, balance } = points[index]!
  const place = chart.points[index]!
  const follow = ({ currentTarget, clientX }: TargetedPointerEvent<SVGSVGElement>): void => {
    const { left, width } = currentTarget.getBoundingClientRect()
    select(findNearest(chart.points, ((clientX - left) / width) * WIDTH))
  }
  return (
    <div class="balance-chart">
      <p class="balance-at" role="status">
        <Amount value={balance} /> <span class="muted">{formatTime(utime)}</span>
      </p>
      <div class="balance-plot">
        <span class="balance-high muted small">
          <Amount value={chart.high} maxFraction={2} />
        </span>
        <svg
          viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={describeChart(points)}
          onPointerMove={follow}
          onPointerLeave={() => select(undefined)}
        >
          <path class="balance-area" d={chart.area} />
          <path class="balance-line" d={chart.line} />
          <path class="balance-cursor" d={`M${place.x} -4V${HEIGHT + 4}`} />
        </svg>
        <span class="balance-low muted small">
          <Amount value={chart.low} maxFraction={2} />
        </span>
      </div>
      <p class="balance-times muted small">
        <span>{formatTime(chart.first)}</span>
        <span>{formatTime(chart.last)}</span>
      </p>
      {points.length > 1 && (
        <input
          type="range"
          class="balance-range"
          aria-label="Transaction"
          aria-valuetext={`${textOf(balance)} at ${formatTime(utime)}`}
          min={0}
          max={points.length - 1}
          value={index}
          onInput={({ currentTarget }) => select(Number(currentTarget.value))}
        />
      )}
    </div>
  )
}

const textOf = (balance: bigint): string => {
  const { whole, fraction } = splitAmount(balance, 9, 2)
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${setup.unit}`
}

const describeChart = (points: readonly BalancePoint[]): string => {
  const [first, last] = [points[0]!, points.at(-1)!]
  return `Balance from ${textOf(first.balance)} at ${formatTime(first.utime)} to ${textOf(last.balance)} at ${formatTime(last.utime)}`
}
