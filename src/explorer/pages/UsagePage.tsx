import { callServer } from '../fetch/requests.ts'
import { SECOND, useRequest } from '../live/usePolling.ts'
import { groupDigits } from '../model/format.ts'
import { Badge, Card, Empty, Failure, Loading } from '../parts/basics.tsx'

type KeyUsage = {
  readonly id: string
  readonly plan: string
  readonly note?: string
  readonly revokedAt?: unknown
  readonly endpoints: readonly EndpointUsage[]
}

type EndpointUsage = {
  readonly endpoint: string
  readonly requests: number | string
  readonly refused: number | string
  readonly failed: number | string
}

type Usage = { readonly days: number; readonly keys: readonly KeyUsage[] }

/** Usage of API keys, for operators only: served to the same machine. */
export const UsagePage = () => {
  const { value, error } = useRequest(
    'usage',
    async (signal) => (await callServer('/keys/usage', {}, { signal })).body as Usage,
    { pollMs: 5 * SECOND },
  )
  return (
    <>
      <header class="page-head">
        <h1>API keys</h1>
        {value !== undefined && <p class="lead">What they asked in the last {value.days} days.</p>}
      </header>
      {error !== undefined && <Failure error={error} />}
      {value === undefined && error === undefined && <Loading />}
      {value?.keys.length === 0 && (
        <Card>
          <Empty icon="gauge">
            No API keys. Create one with <code>chaincenter keys create</code>.
          </Empty>
        </Card>
      )}
      {value?.keys.map((key) => (
        <Card
          key={key.id}
          title={<span class="mono">{key.id}…</span>}
          aside={
            <>
              {key.note} {key.revokedAt != null && <Badge tone="bad">revoked</Badge>}{' '}
              <Badge tone="accent">{key.plan}</Badge>
            </>
          }
        >
          {key.endpoints.length === 0 ? (
            <p class="card-text muted">Not used yet.</p>
          ) : (
            <Endpoints endpoints={key.endpoints} />
          )}
        </Card>
      ))}
    </>
  )
}

const Endpoints = ({ endpoints }: { readonly endpoints: readonly EndpointUsage[] }) => (
  <div class="table-frame">
    <table class="table">
      <thead>
        <tr>
          <th>Endpoint</th>
          <th class="number">Requests</th>
          <th class="number">Refused</th>
          <th class="number">Failed</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(({ endpoint, requests, refused, failed }) => (
          <tr key={endpoint}>
            <td data-label="Endpoint" class="mono">
              {endpoint}
            </td>
            <td data-label="Requests" class="number">
              {groupDigits(requests)}
            </td>
            <td data-label="Refused" class="number">
              {groupDigits(refused)}
            </td>
            <td data-label="Failed" class="number">
              {groupDigits(failed)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
