import { useEffect, useState } from 'preact/hooks'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { formatTime, groupDigits } from '../model/format.ts'
import { Badge, Card, CopyButton, Empty, Failure, Loading, Tabs, type Tone } from '../parts/basics.tsx'
import { AddressLink, TimeAgo } from '../parts/links.tsx'
import { type Actions, type Refresh, useActions } from './actions.tsx'
import { actOn, type Delivery, type DeliveryState, type Endpoint, listDeliveries, redeliver } from './callWebhooks.ts'
import { toUtime } from './endpointParts.tsx'

const PAGE = 50
/** The most that one request lists. */
const MAX_LISTED = 500

type Filter = 'all' | Exclude<DeliveryState, 'dropped'>

/** The delivery log: every attempt, what waits, and what died, to be sent again. */
export const DeliveriesCard = ({ endpoint, refresh }: { readonly endpoint: Endpoint; readonly refresh: Refresh }) => {
  const { id, lag } = endpoint
  const [filter, setFilter] = useState<Filter>('all')
  const [limit, setLimit] = useState(PAGE)
  const actions = useActions()
  const { value, error } = useRequest(
    `deliveries ${id} ${filter}`,
    (signal) => listDeliveries(id, { state: filter === 'all' ? undefined : filter, limit }, signal),
    { pollMs: 3 * SECOND, stream: refresh.stream },
  )
  useEffect(() => refresh.now(), [limit])
  const select = (next: Filter): void => {
    setFilter(next)
    setLimit(PAGE)
  }
  const redeliverDead = async (): Promise<void> => {
    await actOn(id, 'redeliver')
    refresh.now()
  }
  const shownError = actions.error ?? error
  return (
    <Card
      title="Deliveries of the last 30 days"
      aside={
        lag.dead > 0 && (
          <button
            type="button"
            class="button is-small"
            disabled={actions.running !== undefined}
            onClick={() => actions.run('dead', redeliverDead)}
          >
            Redeliver all dead
          </button>
        )
      }
    >
      <Tabs
        label="State of deliveries"
        current={filter}
        onChange={select}
        tabs={[
          { key: 'all', title: 'All' },
          { key: 'waiting', title: 'Waiting' },
          { key: 'delivered', title: 'Delivered' },
          { key: 'dead', title: lag.dead === 0 ? 'Dead' : `Dead (${groupDigits(lag.dead)})` },
        ]}
      />
      {shownError !== undefined && <Failure error={shownError} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.deliveries.length === 0 && <Empty icon="send">No deliveries here.</Empty>}
      {value !== undefined && value.deliveries.length > 0 && (
        <DeliveryTable deliveries={value.deliveries} actions={actions} onChange={refresh.now} />
      )}
      {value !== undefined && value.cursor !== null && (
        <div class="load-more">
          {limit < MAX_LISTED ? (
            <button type="button" class="button" onClick={() => setLimit(Math.min(MAX_LISTED, limit + PAGE))}>
              Older
            </button>
          ) : (
            <span class="muted">
              Older ones: <code>chaincenter webhooks deliveries {id}</code>
            </span>
          )}
        </div>
      )}
    </Card>
  )
}

type TableProps = {
  readonly deliveries: readonly Delivery[]
  readonly actions: Actions
  onChange(): void
}

const DeliveryTable = ({ deliveries, actions, onChange }: TableProps) => (
  <div class="table-frame">
    <table class="table deliveries">
      <thead>
        <tr>
          <th>Time</th>
          <th>Event</th>
          <th>Account</th>
          <th>State</th>
          <th>Attempts</th>
          <th class="number">
            <span class="hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} actions={actions} onChange={onChange} />
        ))}
      </tbody>
    </table>
  </div>
)

const tones: { readonly [S in DeliveryState]: Tone } = {
  waiting: 'pending',
  delivered: 'good',
  dead: 'bad',
  dropped: 'plain',
}

type RowProps = { readonly delivery: Delivery; readonly actions: Actions; onChange(): void }

const DeliveryRow = ({ delivery, actions, onChange }: RowProps) => {
  const { id, event_id: eventId, type, lane, state, replayed, created_at: at } = delivery
  const again = async (): Promise<void> => {
    await redeliver(id)
    onChange()
  }
  return (
    <tr data-state={state}>
      <td data-label="Time">
        <TimeAgo utime={toUtime(at)} />
      </td>
      <td data-label="Event">
        <span class="with-copy">
          <span title={eventId}>{type.replaceAll('_', ' ')}</span>
          <CopyButton text={eventId} what="event id" />
        </span>
      </td>
      <td data-label="Account">
        <AddressLink raw={lane} />
      </td>
      <td data-label="State">
        <span class="with-copy">
          <Badge tone={tones[state]}>{state}</Badge>
          {replayed && <Badge>replay</Badge>}
        </span>
      </td>
      <td data-label="Attempts">
        <AttemptLog delivery={delivery} />
      </td>
      <td data-label="Action" class="number">
        <button
          type="button"
          class="button is-small"
          disabled={actions.running !== undefined}
          aria-label={`Redeliver ${eventId}`}
          onClick={() => actions.run(id, again)}
        >
          Redeliver
        </button>
      </td>
    </tr>
  )
}

const AttemptLog = ({ delivery }: { readonly delivery: Delivery }) => {
  const { attempts, log, next_attempt_at: next } = delivery
  const upcoming = next !== null && (
    <span class="muted">
      next <TimeAgo utime={toUtime(next)} />
    </span>
  )
  if (log.length === 0) return upcoming === false ? <span class="muted">none</span> : upcoming
  return (
    <details class="attempts">
      <summary>
        {groupDigits(attempts)} {upcoming}
      </summary>
      <ol>
        {log.map(({ at, status, duration_ms: ms, error }) => (
          <li key={at}>
            <time dateTime={at}>{formatTime(Math.floor(toUtime(at)))}</time>{' '}
            <Badge tone={status !== null && status >= 200 && status < 300 ? 'good' : 'bad'}>
              {status ?? 'no response'}
            </Badge>{' '}
            {ms} ms {error !== null && <span class="bad">{error}</span>}
          </li>
        ))}
      </ol>
    </details>
  )
}
