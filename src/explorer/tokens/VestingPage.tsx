import { callV3, type V3Result } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { formatTime } from '../model/format.ts'
import { formatSpan } from '../network/formatSpan.ts'
import { Amount } from '../parts/Amount.tsx'
import { Card, Empty, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink } from '../parts/links.tsx'
import { EntityHistory } from './JettonPage.tsx'
import { EntityHead, Moment, Share, Stats, Views } from './parts.tsx'
import { type Schedule, stepsOf, unlockedAt } from './vestingSchedule.ts'

type Vesting = V3Result<'vesting'>['vesting_contracts'][number]

/** A vesting wallet: what is unlocked when, and who may be paid from what is locked. */
export const VestingPage = ({ raw }: { readonly raw: string }) => {
  const { value, error } = useRequest(
    `vesting ${raw}`,
    async (signal) => {
      const [vestings, states] = await Promise.all([
        callV3('vesting', { contract_address: [raw] }, signal),
        callV3('accountStates', { address: [raw], include_boc: false }, signal),
      ])
      return { vesting: vestings.result.vesting_contracts[0], balance: states.result.accounts[0]?.balance ?? '0' }
    },
    { pollMs: 5 * SECOND },
  )
  if (value === undefined) return error === undefined ? <Loading lines={8} /> : <Failure error={error} />
  const { vesting, balance } = value
  if (vesting === undefined) return <Failure error={new Error('There is no vesting wallet at this address.')} />
  const schedule = scheduleOf(vesting)
  const now = Math.floor(Date.now() / 1000)
  const unlocked = unlockedAt(schedule, now)
  return (
    <>
      <EntityHead raw={raw} kind="Vesting wallet" title="Vesting" name="V" url={undefined} />
      {error !== undefined && <Failure error={error} />}
      <Stats
        stats={[
          ['Total', <Amount value={vesting.total_amount} />],
          [
            'Unlocked',
            <Amount value={unlocked} maxFraction={2} />,
            <Share part={unlocked} whole={schedule.total} label="Unlocked share" />,
          ],
          ['Locked', <Amount value={schedule.total - unlocked} maxFraction={2} />],
          ['Balance', <Amount value={balance} maxFraction={2} />],
        ]}
      />
      <Card title="Schedule">
        <ScheduleChart schedule={schedule} now={now} />
      </Card>
      <Card>
        <VestingFacts vesting={vesting} />
      </Card>
      <Views
        label="Vesting"
        tabs={[
          { key: 'history', title: 'History' },
          { key: 'whitelist', title: 'Whitelist' },
        ]}
      >
        {(view) => (
          <>
            {view === 'history' && <EntityHistory raw={raw} />}
            {view === 'whitelist' && <Whitelist addresses={vesting.whitelist} />}
          </>
        )}
      </Views>
    </>
  )
}

const scheduleOf = (vesting: Vesting): Schedule => ({
  start: vesting.start_time,
  duration: vesting.total_duration,
  period: vesting.unlock_period,
  cliff: vesting.cliff_duration,
  total: BigInt(vesting.total_amount),
})

const VestingFacts = ({ vesting }: { readonly vesting: Vesting }) => (
  <div class="facts-pair">
    <Facts
      facts={[
        ['Owner', <AddressLink raw={vesting.owner_address} hasCopy />],
        ['Sender', <AddressLink raw={vesting.sender_address} hasCopy />],
      ]}
    />
    <Facts
      facts={[
        ['Begins', <Moment utime={vesting.start_time} />],
        vesting.cliff_duration > 0 && ['Cliff', formatSpan(vesting.cliff_duration)],
        ['A part every', formatSpan(vesting.unlock_period)],
        ['Ends', <Moment utime={vesting.start_time + vesting.total_duration} />],
      ]}
    />
  </div>
)

const Whitelist = ({ addresses }: { readonly addresses: readonly string[] }) => (
  <Card>
    {addresses.length === 0 && <Empty icon="account">Locked coins can be sent to nobody but the sender.</Empty>}
    <ol class="list">
      {addresses.map((address) => (
        <li key={address}>
          <AddressLink raw={address} hasCopy hasKind />
        </li>
      ))}
    </ol>
  </Card>
)

const WIDTH = 1000
const HEIGHT = 200

/** The unlocked amount over time, as steps, with the present marked. */
const ScheduleChart = ({ schedule, now }: { readonly schedule: Schedule; readonly now: number }) => {
  const { start, duration, cliff, total } = schedule
  const xOf = (time: number): number => ((time - start) / Math.max(1, duration)) * WIDTH
  const yOf = (amount: bigint): number =>
    total === 0n ? HEIGHT : HEIGHT - (Number((amount * 10_000n) / total) / 10_000) * (HEIGHT - 8)
  const steps = stepsOf(schedule)
  const line = steps.reduce(
    (path, { time, unlocked }) => `${path}H${xOf(time).toFixed(1)}V${yOf(unlocked).toFixed(1)}`,
    `M0 ${HEIGHT}`,
  )
  const present = Math.min(WIDTH, Math.max(0, xOf(now)))
  const end = start + duration
  return (
    <figure class="schedule">
      <svg
        class="schedule-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Unlocked amount over time"
      >
        <path class="chart-area" d={`${line}H${WIDTH}V${HEIGHT}Z`} />
        <path class="schedule-line" d={`${line}H${WIDTH}`} />
        {cliff > 0 && <path class="schedule-cliff" d={`M${xOf(start + cliff)} 0V${HEIGHT}`} />}
        {now > start && now < end && <path class="schedule-now" d={`M${present} 0V${HEIGHT}`} />}
      </svg>
      <figcaption class="schedule-axis">
        <span>{formatTime(start).slice(0, 10)}</span>
        <span class="schedule-legend">
          <span class="is-line">unlocked</span>
          {cliff > 0 && <span class="is-cliff">cliff</span>}
          {now > start && now < end && <span class="is-now">now</span>}
        </span>
        <span>{formatTime(end).slice(0, 10)}</span>
      </figcaption>
    </figure>
  )
}
