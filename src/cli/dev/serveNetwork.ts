import { createHttpServer } from '../../api/core/createHttpServer.ts'
import type { Dialect } from '../../api/core/Dialect.ts'
import { mount } from '../../api/core/Mount.ts'
import { dev } from '../../api/dev/index.ts'
import type { FaceServer } from '../../devnet/face/listenFace.ts'
import type { Network } from '../../devnet/network/createNetwork.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { openNode } from '../serve/openNode.ts'
import { openV2 } from '../serve/openV2.ts'

export type HttpOptions = {
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Lets programs on other machines use the controls, too. */
  readonly publicControls?: boolean
  /** What is spoken below /api: the neutral dialect, unless this says otherwise. */
  readonly dialect?: Dialect
}

const QUERY_TIMEOUT_MS = 10_000

/**
 * Serves a network over HTTP: its controls, and the interfaces, which reach it by its liteserver as they would any other.
 * Returns the URL, without a slash at its end.
 */
export const serveNetwork = async (
  { controls, store, initBlock: anchor }: Network,
  { host: liteHost, port: litePort, publicKey }: FaceServer,
  { host = '127.0.0.1', port = 0, publicControls = false, dialect = 'chain' }: HttpOptions,
  logger: Logger,
  shutdown: Shutdown,
): Promise<string> => {
  const servers = [{ host: reachable(liteHost), port: litePort, publicKey }]
  const trust = { zeroState: store.zeroState, anchor, proofs: 'full' } as const
  const node = await openNode({ servers, ...trust, queryTimeoutMs: QUERY_TIMEOUT_MS, logger }, shutdown)
  // Its own, so that no get-method can keep the network from making blocks.
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine of the interfaces', () => vm.close())
  const v2 = openV2({ node, vm, dialect })
  // Whoever has made a block, or taken some back, sees it in the next answer.
  store.watch({ appended: () => node.trust.expectNewer(), reverted: () => v2.forget() })
  const mounts = [mount(dev, () => controls, { allowRemote: publicControls }), ...v2.mounts]
  const server = await createHttpServer({ mounts, logger, host, port })
  shutdown.add('http server', () => server.close())
  return server.url
}

/** An address that means all of this machine's can be listened at, not called. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
