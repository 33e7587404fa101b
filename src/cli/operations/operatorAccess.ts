import { ForbiddenError } from '../../api/core/errors.ts'
import { findForeignOrigin, findRemoteCaller, findUnknownHost, isLoopback } from '../../api/core/localAccess.ts'
import type { PlainRequest, PlainRoute } from '../../api/core/PlainRoute.ts'
import type { HostPort } from '../../config/Kind.ts'
import type { Config } from '../../config/settings.ts'

/**
 * Where the routes for an operator are served: metrics, the usage of keys.
 *
 * - `private`: at the service's own port, to direct requests of this machine. Only an embedded network that listens on loopback alone and
 *   names no proxy is private.
 * - `listener`: at an address of their own, and nowhere else. A proxy before the service does not reach them, whatever it says or
 *   leaves out.
 */
export type OperatorAccess =
  | { readonly mode: 'private'; readonly allowedHosts: readonly string[] }
  | { readonly mode: 'listener'; readonly address: HostPort | undefined; readonly allowedHosts: readonly string[] }

type AccessSettings = Pick<Config, 'host' | 'port' | 'trustedProxies' | 'operationsAddress' | 'allowedHosts'>

/** Whether everything that reaches the service comes from this machine, as far as the settings tell. */
export const isPrivate = ({ host, trustedProxies }: Pick<Config, 'host' | 'trustedProxies'>): boolean =>
  isLoopback(host) && trustedProxies.length === 0

export const operatorAccessOf = (
  config: AccessSettings,
  { isEmbedded }: { readonly isEmbedded: boolean },
): OperatorAccess => {
  const { operationsAddress: given, port } = config
  const allowedHosts = config.allowedHosts.map((name) => name.toLowerCase())
  if (given === undefined && isEmbedded && isPrivate(config)) return { mode: 'private', allowedHosts }
  if (given === 'none') return { mode: 'listener', address: undefined, allowedHosts }
  return { mode: 'listener', address: given ?? { host: '127.0.0.1', port: operationsPort(port) }, allowedHosts }
}

/** Beside the port of the service, so that several services on a machine do not meet. */
const operationsPort = (port: number): number => (port === 0 || port + 1000 > 65_535 ? 0 : port + 1000)

/** The routes for an operator, as they are served at the service's own port. */
export const guardPrivate = (routes: readonly PlainRoute[], allowedHosts: readonly string[]): PlainRoute[] =>
  guard(routes, ({ remoteAddress, headers }) => findRemoteCaller(remoteAddress, headers, allowedHosts))

/** The same at the operations listener. Who reaches its address may ask; a page that had its name resolved to it may not. */
export const guardListener = (routes: readonly PlainRoute[], allowedHosts: readonly string[]): PlainRoute[] =>
  guard(routes, ({ headers }) => findUnknownHost(headers, allowedHosts))

/** The same behind a front, which has the operations listener. */
export const guardFront = (routes: readonly PlainRoute[]): PlainRoute[] =>
  guard(routes, ({ isOperator }) =>
    isOperator ? undefined : new ForbiddenError('Only the operations listener has access.'),
  )

const guard = (
  routes: readonly PlainRoute[],
  find: (request: PlainRequest) => ForbiddenError | undefined,
): PlainRoute[] =>
  routes.map((route) => ({
    ...route,
    answer: (request) => {
      const refusal = find(request) ?? findForeignOrigin(request.headers)
      if (refusal === undefined) return route.answer(request)
      const body = `${JSON.stringify({ ok: false, error: refusal.message, code: 403 })}\n`
      return {
        status: 403,
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
        body,
      }
    },
  }))
