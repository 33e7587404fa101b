import { callV2 } from '../fetch/requests.ts'
import { useRequest } from '../live/usePolling.ts'
import { formatTime, groupDigits } from '../model/format.ts'
import { Amount } from '../parts/Amount.tsx'
import { Badge, Card, Empty, Facts } from '../parts/basics.tsx'
import { AddressLink, Hash, TimeAgo } from '../parts/links.tsx'
import { Share, Stats, Views } from '../tokens/parts.tsx'
import type { ConfigParam } from './ConfigPage.tsx'
import { formatSpan } from './formatSpan.ts'

type ValidatorSet = {
  readonly utime_since: number
  readonly utime_until: number
  readonly total: number
  readonly main: number
  readonly total_weight: string | null
  readonly list: readonly {
    readonly key: number
    readonly value: { readonly public_key: string; readonly weight: string; readonly adnl_address: string | null }
  }[]
}

type ElectionTimes = {
  readonly validators_elected_for: number
  readonly elections_start_before: number
  readonly elections_end_before: number
  readonly stake_held_for: number
}

type StakeLimits = {
  readonly min_stake: string
  readonly max_stake: string
  readonly min_total_stake: string
  readonly max_stake_factor: number
}

const [PREVIOUS, CURRENT, NEXT] = [32, 34, 36]

/** Who validates, until when, and when others are elected. */
export const ValidatorsPage = ({ params }: { readonly params: readonly ConfigParam[] }) => {
  const find = <T,>(id: number): T | undefined =>
    (params.find((each) => each.id === id)?.decoded ?? undefined) as T | undefined
  const sets = {
    current: find<ValidatorSet>(CURRENT),
    next: find<ValidatorSet>(NEXT),
    previous: find<ValidatorSet>(PREVIOUS),
  }
  const times = find<ElectionTimes>(15)
  const stakes = find<StakeLimits>(17)
  const elector = find<string>(1)
  const { current } = sets
  return (
    <>
      {current !== undefined && (
        <Stats
          stats={[
            ['Validators', groupDigits(current.total), `${groupDigits(current.main)} for the masterchain`],
            ['Round ends', <TimeAgo utime={current.utime_until} />, formatTime(current.utime_until).slice(0, 16)],
            stakes !== undefined && ['Smallest stake', <Amount value={stakes.min_stake} />],
            times !== undefined && ['A round lasts', formatSpan(times.validators_elected_for)],
          ]}
        />
      )}
      <div class="columns is-even">
        {current !== undefined && times !== undefined && (
          <Card title="Elections">
            <Elections current={current} times={times} next={sets.next} elector={elector} />
          </Card>
        )}
        {stakes !== undefined && times !== undefined && (
          <Card title="Terms">
            <Facts
              facts={[
                ['Stake', <StakeRange {...stakes} />],
                [
                  'All stakes',
                  <span>
                    at least <Amount value={stakes.min_total_stake} />
                  </span>,
                ],
                [
                  'Largest counted',
                  `${Math.round((stakes.max_stake_factor / 65_536) * 100) / 100} × the smallest elected stake`,
                ],
                ['Stake held for', `${formatSpan(times.stake_held_for)} after the round`],
                elector !== undefined && ['Elector', <AddressLink raw={`-1:${elector.toUpperCase()}`} hasCopy />],
              ]}
            />
          </Card>
        )}
      </div>
      <Views
        label="Validator sets"
        tabs={[
          { key: 'current', title: 'Current' },
          { key: 'next', title: 'Next' },
          { key: 'previous', title: 'Previous' },
        ]}
      >
        {(view) => <SetCard set={sets[view]} />}
      </Views>
    </>
  )
}

const StakeRange = ({ min_stake: min, max_stake: max }: StakeLimits) => (
  <span>
    <Amount value={min} /> to <Amount value={max} />
  </span>
)

type ElectionsProps = {
  readonly current: ValidatorSet
  readonly next: ValidatorSet | undefined
  readonly times: ElectionTimes
  readonly elector: string | undefined
}

/** The state of the next elections. Their window follows from the times in the configuration. */
const Elections = ({ current, next, times, elector }: ElectionsProps) => {
  const { value: id } = useRequest(`election of ${elector}`, async (signal) => {
    if (elector === undefined) return undefined
    const args = { address: `-1:${elector.toUpperCase()}`, method: 'active_election_id', stack: [] }
    const { stack, exit_code: code } = await callV2('runGetMethod', args, signal)
    const [first] = stack as readonly unknown[]
    return code === 0 && Array.isArray(first) ? Number(first[1]) : undefined
  })
  const opens = current.utime_until - times.elections_start_before
  const closes = current.utime_until - times.elections_end_before
  const now = Date.now() / 1000
  const state =
    next !== undefined ? (
      <Badge tone="good">the next validators are elected</Badge>
    ) : now < opens ? (
      <Badge>not open yet</Badge>
    ) : now < closes ? (
      <Badge tone="pending">open</Badge>
    ) : (
      <Badge tone="warn">closed</Badge>
    )
  return (
    <>
      <Facts
        facts={[
          ['State', state],
          ['Open', <Time utime={opens} />],
          ['Close', <Time utime={closes} />],
          ['Next round', <Time utime={current.utime_until} />],
          id !== undefined && id > 0 && ['Election id', <span class="mono">{id}</span>],
        ]}
      />
      <RoundBar current={current} opens={opens} closes={closes} now={now} />
    </>
  )
}

const Time = ({ utime }: { readonly utime: number }) => (
  <span class="moment">
    {formatTime(utime).slice(0, 16)} <TimeAgo utime={utime} />
  </span>
)

type RoundProps = {
  readonly current: ValidatorSet
  readonly opens: number
  readonly closes: number
  readonly now: number
}

/** The round as a bar: elections in it, and the present. */
const RoundBar = ({ current: { utime_since: since, utime_until: until }, opens, closes, now }: RoundProps) => {
  const xOf = (time: number): number =>
    Math.min(1000, Math.max(0, ((time - since) / Math.max(1, until - since)) * 1000))
  return (
    <figure class="round">
      <svg viewBox="0 0 1000 16" preserveAspectRatio="none" role="img" aria-label="The current round and its elections">
        <rect class="round-all" width="1000" height="16" />
        <rect class="round-done" width={xOf(now)} height="16" />
        <rect class="round-elections" x={xOf(opens)} width={Math.max(2, xOf(closes) - xOf(opens))} height="16" />
        <path class="schedule-now" d={`M${xOf(now)} 0V16`} />
      </svg>
      <figcaption class="schedule-axis">
        <span>{formatTime(since).slice(0, 16)}</span>
        <span class="schedule-legend">
          <span class="is-cliff">elections</span>
          <span class="is-now">now</span>
        </span>
        <span>{formatTime(until).slice(0, 16)}</span>
      </figcaption>
    </figure>
  )
}

const SetCard = ({ set }: { readonly set: ValidatorSet | undefined }) => {
  if (set === undefined) {
    return (
      <Card>
        <Empty icon="clock">There is no such set now.</Empty>
      </Card>
    )
  }
  const total = set.list.reduce((sum, { value }) => sum + BigInt(value.weight), 0n)
  return (
    <Card>
      <ol class="ranking">
        {set.list.map(({ key, value: { public_key, weight, adnl_address } }) => (
          <li key={public_key}>
            <span class="ranking-place muted">{key + 1}</span>
            <span class="validator">
              <Hash hash={public_key} what="public key" />
              {key < set.main && <Badge tone="accent">masterchain</Badge>}
            </span>
            <Share part={BigInt(weight)} whole={total} label="Share of the votes" />
            <span class="small muted">
              {adnl_address === null ? '' : <Hash hash={adnl_address} what="ADNL address" hasCopy={false} />}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
