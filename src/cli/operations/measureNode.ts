import type { NodePool } from '../../node/pool/NodePool.ts'
import type { ServerStatus } from '../../node/pool/PoolServer.ts'
import type { Metrics, Reading } from '../../observe/Metrics.ts'

type Pool = Pick<NodePool, 'status' | 'bestSeqno'>

/** How the liteservers stand, each by its name. */
export const measureNode = (metrics: Metrics, pool: Pool): void => {
  const each = (read: (status: ServerStatus) => number | undefined) => (): Reading[] =>
    pool.status.flatMap((status) => {
      const value = read(status)
      return value === undefined ? [] : [{ value, labels: { server: status.name } }]
    })
  const gauge = (name: string, help: string, read: (status: ServerStatus) => number | undefined): void =>
    metrics.reading('gauge', `chaincenter_node_server_${name}`, help, each(read))
  gauge('up', '1 where a liteserver is in step with the others.', ({ condition }) => (condition === 'alive' ? 1 : 0))
  gauge('head_seqno', 'The newest masterchain block of a liteserver.', ({ seqno }) => seqno)
  gauge('lag_seconds', 'How old that block is.', ({ lagSeconds }) => lagSeconds)
  gauge('latency_seconds', 'Time that half of the questions stay under.', ({ latencyMs }) => seconds(latencyMs))
  gauge('in_flight', 'Questions under way.', ({ inFlight }) => inFlight)
  const answers = 'chaincenter_node_server_answers_total'
  metrics.reading(
    'counter',
    answers,
    'Questions that a liteserver has answered.',
    each(({ answered }) => answered),
  )
  const failures = 'chaincenter_node_server_failures_total'
  metrics.reading(
    'counter',
    failures,
    'Questions that it has not, or wrongly.',
    each(({ failed }) => failed),
  )
  metrics.reading('gauge', 'chaincenter_node_servers', 'Liteservers, by their condition.', () => {
    const counts = new Map<string, number>()
    for (const { condition } of pool.status) counts.set(condition, (counts.get(condition) ?? 0) + 1)
    return [...counts].map(([condition, value]) => ({ value, labels: { condition } }))
  })
  metrics.reading('gauge', 'chaincenter_head_seqno', 'The newest masterchain block of the network.', () =>
    pool.bestSeqno === undefined ? [] : [{ value: pool.bestSeqno }],
  )
  metrics.reading('gauge', 'chaincenter_head_age_seconds', 'How old the newest block of the network is.', () => {
    const age = findHeadAge(pool)
    return age === undefined ? [] : [{ value: age }]
  })
}

/** How old the newest block of the servers in step is, in seconds, where one of them tells. */
export const findHeadAge = ({ status }: Pick<NodePool, 'status'>): number | undefined => {
  const ages = status.flatMap(({ condition, lagSeconds }) =>
    condition === 'alive' && lagSeconds !== undefined ? [lagSeconds] : [],
  )
  return ages.length === 0 ? undefined : Math.min(...ages)
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000)
