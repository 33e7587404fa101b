import { useState } from 'preact/hooks'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'
import { Card, Empty, Failure, Loading } from '../parts/basics.tsx'
import { TimeAgo } from '../parts/links.tsx'
import { Link } from '../route/Link.tsx'
import { SecretCard, useRefresh } from './actions.tsx'
import { KeyPage, type Owner, useRefusal, WebhooksHead } from './apiKey.tsx'
import { type Created, type Endpoint, findApiKey, keepApiKey, listEndpoints } from './callWebhooks.ts'
import { EndpointPage } from './EndpointPage.tsx'
import { listTypes, StateBadge, toUtime } from './endpointParts.tsx'
import { RegisterForm } from './RegisterForm.tsx'

/** Webhooks of the owner of an API key. Programs on the machine of an embedded network need none. */
export const WebhooksPage = ({ id }: { readonly id: string | undefined }) => {
  const [key, setKey] = useState(findApiKey)
  const [refusal, setRefusal] = useState<Error>()
  const change = (next: string | undefined): void => {
    keepApiKey(next)
    setKey(next)
    setRefusal(undefined)
  }
  if (refusal !== undefined) return <KeyPage error={key === undefined ? undefined : refusal} onKey={change} />
  const owner = { key, onRefused: setRefusal }
  return (
    <>
      {id === undefined ? <EndpointsPage owner={owner} /> : <EndpointPage key={id} id={id} owner={owner} />}
      {key !== undefined && (
        <p class="muted small">
          As the owner of the key <code>{hideKey(key)}</code>, which this tab keeps until it is closed.{' '}
          <button type="button" class="button is-small" onClick={() => change(undefined)}>
            Forget the key
          </button>
        </p>
      )}
    </>
  )
}

/** Without its secret part. */
const hideKey = (key: string): string => (key.includes('_') ? `${key.slice(0, key.lastIndexOf('_'))}_…` : '…')

const EndpointsPage = ({ owner }: { readonly owner: Owner }) => {
  const refresh = useRefresh()
  const [created, setCreated] = useState<Created>()
  const { value, error } = useRequest(`webhooks ${owner.key}`, listEndpoints, {
    pollMs: 5 * SECOND,
    stream: refresh.stream,
  })
  useRefusal(owner, error)
  const show = (made: Created): void => {
    setCreated(made)
    refresh.now()
    scrollTo(0, 0)
  }
  return (
    <>
      <WebhooksHead />
      {created !== undefined && (
        <SecretCard
          id={created.id}
          secret={created.secret}
          publicKey={created.public_key}
          test={created.test}
          onDone={() => setCreated(undefined)}
        />
      )}
      <Card title="Endpoints">
        {error !== undefined && <Failure error={error} />}
        {value === undefined && error === undefined && <Loading />}
        {value?.length === 0 && <Empty icon="send">No endpoints. Register one below.</Empty>}
        {value !== undefined && value.length > 0 && <EndpointTable endpoints={value} />}
      </Card>
      <Card title="Register an endpoint">
        <RegisterForm key={created?.id} onCreated={show} />
      </Card>
    </>
  )
}

const EndpointTable = ({ endpoints }: { readonly endpoints: readonly Endpoint[] }) => (
  <div class="table-frame">
    <table class="table endpoints">
      <thead>
        <tr>
          <th>URL</th>
          <th>Events</th>
          <th>State</th>
          <th class="number">Waiting</th>
          <th class="number">Dead</th>
          <th>Last success</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ id, url, description, subscription, state, lag, last_success_at: last }) => (
          <tr key={id}>
            <td data-label="URL" class="endpoint-url">
              <Link to={{ page: 'webhooks', id }} title={url}>
                {url}
              </Link>
              {description !== null && <span class="muted small">{description}</span>}
            </td>
            <td data-label="Events">{listTypes(subscription)}</td>
            <td data-label="State">
              <StateBadge state={state} />
            </td>
            <td data-label="Waiting" class="number">
              {groupDigits(lag.waiting)}
            </td>
            <td data-label="Dead" class="number">
              {groupDigits(lag.dead)}
            </td>
            <td data-label="Last success">{last === null ? 'none yet' : <TimeAgo utime={toUtime(last)} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
