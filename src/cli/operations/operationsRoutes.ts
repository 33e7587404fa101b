import type { PlainAnswer, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { Readiness } from './createReadiness.ts'

export type OperationsRoutesOptions = {
  readonly readiness: Readiness
  /** The figures of all processes that belong together, as text. */
  readonly readMetrics: () => string | Promise<string>
}

/** What anybody may ask of a process: whether it is alive, and whether it is of use. */
export const healthRoutes = ({ readiness }: Pick<OperationsRoutesOptions, 'readiness'>): PlainRoute[] => [
  { method: 'GET', path: '/healthcheck', answer: () => json(200, { alive: true }) },
  {
    method: 'GET',
    path: '/ready',
    answer: async () => {
      const report = await readiness.check()
      return json(report.ready ? 200 : 503, report)
    },
  },
]

/** What only an operator may ask: how the process is doing. It has to be guarded: see operatorAccess.ts. */
export const metricsRoutes = ({ readMetrics }: Pick<OperationsRoutesOptions, 'readMetrics'>): PlainRoute[] => [
  {
    method: 'GET',
    path: '/metrics',
    answer: async () => answer(200, 'text/plain; version=0.0.4; charset=utf-8', await readMetrics()),
  },
]

const json = (status: number, value: unknown): PlainAnswer =>
  answer(status, 'application/json; charset=utf-8', `${JSON.stringify(value)}\n`)

const answer = (status: number, type: string, body: string): PlainAnswer => ({
  status,
  headers: { 'content-type': type, 'cache-control': 'no-store' },
  body,
})
