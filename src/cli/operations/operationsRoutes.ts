import { findRemoteSign } from '../../api/core/localAccess.ts'
import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { Readiness } from './createReadiness.ts'

export type OperationsRoutesOptions = {
  readonly readiness: Readiness
  /** The figures of all processes that belong together, as text. */
  readonly readMetrics: () => string | Promise<string>
  /** Tells figures to everybody, and not only to programs on this machine. */
  readonly publicMetrics: boolean
}

/** What those who look after the process ask: whether it is alive, whether it is of use, and how it is doing. */
export const operationsRoutes = ({ readiness, readMetrics, publicMetrics }: OperationsRoutesOptions): PlainRoute[] => [
  { method: 'GET', path: '/healthcheck', answer: () => json(200, { alive: true }) },
  {
    method: 'GET',
    path: '/ready',
    answer: async () => {
      const report = await readiness.check()
      return json(report.ready ? 200 : 503, report)
    },
  },
  {
    method: 'GET',
    path: '/metrics',
    answer: async ({ remoteAddress, headers }) => {
      const refusal = publicMetrics ? undefined : findRemoteSign(remoteAddress, headers)
      if (refusal !== undefined) return json(403, { ok: false, error: refusal.message, code: 403 })
      return answer(200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics())
    },
  },
]

const json = (status: number, value: unknown): PlainAnswer =>
  answer(status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`)

const answer = (status: number, type: string, body: string): PlainAnswer => ({
  status,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
})
