import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forwardedOf } from './front.ts'
import type { QueryValues } from './parseArguments.ts'

/** A route outside of the interfaces: a page, a file, metrics. */
export type PlainRoute = {
  readonly method: 'GET' | 'POST'
  /** An exact path, or a prefix that ends with `/*`. */
  readonly path: `/${string}`
  answer(request: PlainRequest): PlainAnswer | Promise<PlainAnswer>
}

export type PlainAnswer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** Registers a route. A GET route also answers HEAD. */
export const registerRoute = (server: FastifyInstance, { method, path, answer }: PlainRoute): void => {
  server.route({
    method,
    url: path,
    handler: async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { status, headers, body } = await answer(toPlainRequest(request))
      return reply.code(status).headers(headers).send(body)
    },
  })
}

/** The methods of the routes at a path; `undefined` where there are none. */
export const methodsOfRoutes = (
  routes: readonly { readonly method: string; readonly path: string }[],
  url: string,
): readonly string[] | undefined => {
  const asked = url.replace(/\?.*$/s, '').replace(/(.)\/$/, '$1')
  const own = routes.filter(({ path }) => (path.endsWith('/*') ? asked.startsWith(path.slice(0, -1)) : path === asked))
  return own.length === 0 ? undefined : own.map(({ method }) => method)
}

export const toPlainRequest = ({ url, query, headers, socket, body, raw }: FastifyRequest) => ({
  path: url.replace(/\?.*$/s, ''),
  query: query as QueryValues,
  headers,
  remoteAddress: socket.remoteAddress ?? '',
  body: body instanceof Uint8Array ? body : undefined,
  ...forwardedOf(raw),
})

export type PlainRequest = Readonly<ReturnType<typeof toPlainRequest>>
