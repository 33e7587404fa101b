import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type FetchRules, fetchLimits } from '../../src/metadata/fetch/FetchRules.ts'
import { isGlobalAddress } from '../../src/metadata/isGlobalAddress.ts'

export type WebServer = {
  readonly port: number
  /** Connections that were made to it so far. */
  connections(): number
}

/** A real server on this machine, for the time of a test. */
export const serveWeb = async (
  t: Pick<TestContext, 'after'>,
  listener: RequestListener,
  secure?: { readonly cert: string; readonly key: string },
): Promise<WebServer> => {
  let connections = 0
  const server: Server = secure === undefined ? createServer(listener) : createSecureServer(secure, listener)
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

/** The rules as they are by default, except that names are these, and nothing else is known. */
export const rulesWithNames = (names: Readonly<Record<string, readonly string[]>> = {}): FetchRules => ({
  allowHttp: true,
  ipfsGateway: undefined,
  isAllowedAddress: isGlobalAddress,
  resolve: async (name) => names[name] ?? [],
  limits: fetchLimits,
  userAgent: 'chaincenter/test',
})

/** The same, but this machine counts as the internet. */
export const openRules = (names: Readonly<Record<string, readonly string[]>> = {}): FetchRules => ({
  ...rulesWithNames({ 'web.test': ['127.0.0.1'], ...names }),
  isAllowedAddress: (address) => address === '127.0.0.1' || isGlobalAddress(address),
})
