import { useState } from 'preact/hooks'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'
import { Card, Facts, Failure, Loading } from '../parts/basics.tsx'
import { AddressLink, TimeAgo } from '../parts/links.tsx'
import { goTo, Link } from '../route/Link.tsx'
import { AttemptResult, ConfirmButton, SecretCard, useActions, useRefresh } from './actions.tsx'
import { type Owner, useRefusal } from './apiKey.tsx'
import { type Attempt, actOn, deleteEndpoint, type Endpoint, getEndpoint } from './callWebhooks.ts'
import { DeliveriesCard } from './Deliveries.tsx'
import { listTypes, StateBadge, toUtime } from './endpointParts.tsx'

/** One endpoint: its state, what can be done with it, and its deliveries. */
export const EndpointPage = ({ id, owner }: { readonly id: string; readonly owner: Owner }) => {
  const refresh = useRefresh()
  const { value, error } = useRequest(`endpoint ${id} ${owner.key}`, (signal) => getEndpoint(id, signal), {
    pollMs: 3 * SECOND,
    stream: refresh.stream,
  })
  useRefusal(owner, error)
  return (
    <>
      <header class="page-head">
        <h1>Endpoint {value !== undefined && <StateBadge state={value.state} />}</h1>
        <p class="lead">
          <Link to={{ page: 'webhooks' }}>All endpoints</Link> <span class="mono muted">{id}</span>
        </p>
      </header>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value !== undefined && <EndpointCard endpoint={value} onChange={refresh.now} />}
      {value !== undefined && <DeliveriesCard endpoint={value} refresh={refresh} />}
    </>
  )
}

type EndpointProps = { readonly endpoint: Endpoint; onChange(): void }

const EndpointCard = ({ endpoint, onChange }: EndpointProps) => {
  const { id, state } = endpoint
  const { running, error, run } = useActions()
  const [test, setTest] = useState<Attempt>()
  const [rotated, setRotated] = useState<Awaited<ReturnType<typeof actOn<'rotate'>>>>()
  const isEnabled = state !== 'disabled'
  const toggle = async (): Promise<void> => {
    await actOn(id, isEnabled ? 'disable' : 'enable')
    onChange()
  }
  const rotate = async (): Promise<void> => setRotated(await actOn(id, 'rotate'))
  const remove = async (): Promise<void> => {
    await deleteEndpoint(id)
    goTo({ page: 'webhooks' })
  }
  return (
    <>
      {rotated !== undefined && (
        <SecretCard
          id={id}
          secret={rotated.secret}
          publicKey={rotated.public_key}
          onDone={() => setRotated(undefined)}
        />
      )}
      <Card title="Endpoint">
        <EndpointFacts endpoint={endpoint} />
        {rotated !== undefined && (
          <p class="card-text muted">
            The old key signs, too, for <TimeAgo utime={toUtime(rotated.former_until)} />.
          </p>
        )}
        {test !== undefined && (
          <p class="card-text">
            <AttemptResult attempt={test} />
          </p>
        )}
        {error !== undefined && <Failure error={error} />}
        <div class="card-foot endpoint-actions">
          <button
            type="button"
            class="button is-small is-main"
            disabled={running !== undefined}
            onClick={() => run('test', async () => setTest(await actOn(id, 'test')))}
          >
            {running === 'test' ? 'Testing…' : 'Send a test'}
          </button>
          <button
            type="button"
            class="button is-small"
            disabled={running !== undefined}
            onClick={() => run('toggle', toggle)}
          >
            {isEnabled ? 'Disable' : 'Enable'}
          </button>
          <ConfirmButton
            title="Rotate"
            question="Make a new signing key? The old one signs, too, for a day."
            isDisabled={running !== undefined}
            onConfirm={() => run('rotate', rotate)}
          />
          <ConfirmButton
            title="Delete"
            question="Delete the endpoint, its deliveries and its log?"
            isDisabled={running !== undefined}
            onConfirm={() => run('delete', remove)}
          />
        </div>
      </Card>
    </>
  )
}

const reasons: { readonly [R in NonNullable<Endpoint['disabled_reason']>]: string } = {
  owner: 'disabled by you',
  gone: 'disabled: the receiver answered 410',
  unreachable: 'disabled after 5 days without success',
  key_ended: 'disabled with its API key',
}

const EndpointFacts = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const { subscription, lag, last_failure: failure, last_success_at: success, disabled_reason: reason } = endpoint
  return (
    <Facts
      facts={[
        ['URL', <code key="url">{endpoint.url}</code>],
        endpoint.description !== null && ['Description', endpoint.description],
        ['Events', listTypes(subscription)],
        ['Accounts', <Addresses key="accounts" subscription={subscription} />],
        endpoint.state === 'failing' && ['State', 'failing: one attempt a minute until one succeeds'],
        reason !== null && ['State', reasons[reason]],
        ['Order', endpoint.ordering === 'account' ? 'per account' : 'none'],
        ['Signature', endpoint.signature === 'v1' ? 'HMAC-SHA256 (v1)' : 'Ed25519 (v1a)'],
        endpoint.public_key !== null && ['Public key', <code key="key">{endpoint.public_key}</code>],
        endpoint.position !== null && ['Position', `block ${groupDigits(endpoint.position.mc_seqno)}`],
        [
          'Waiting',
          <span key="waiting">
            {groupDigits(lag.waiting)}
            {lag.oldest !== null && (
              <span class="muted">
                {' '}
                the oldest <TimeAgo utime={toUtime(lag.oldest)} />
              </span>
            )}
          </span>,
        ],
        ['Dead', groupDigits(lag.dead)],
        ['Last success', success === null ? 'none yet' : <TimeAgo key="success" utime={toUtime(success)} />],
        failure !== null && [
          'Last failure',
          <span key="failure">
            <TimeAgo utime={toUtime(failure.at)} /> <span class="bad">{failure.error}</span>
          </span>,
        ],
      ]}
    />
  )
}

const MAX_SHOWN = 20

const Addresses = ({ subscription }: { readonly subscription: object }) => {
  const given = 'addresses' in subscription && Array.isArray(subscription.addresses) ? subscription.addresses : []
  const addresses = given.map(String)
  if (addresses.includes('*')) return <>all</>
  if (addresses.length === 0) return <>as the filters say</>
  return (
    <>
      {addresses.slice(0, MAX_SHOWN).map((address) => (
        <AddressLink key={address} raw={address} />
      ))}
      {addresses.length > MAX_SHOWN && <span class="muted">and {groupDigits(addresses.length - MAX_SHOWN)} more</span>}
    </>
  )
}
