import { createHttpServer } from '../../api/core/createHttpServer.ts'
import { mount } from '../../api/core/Mount.ts'
import { dev } from '../../api/dev/index.ts'
import type { Dialect } from '../../api/v2/presentV2.ts'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { parseGlobalConfig } from '../../node/globalConfig.ts'
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
/** A block may be made at any moment, and whoever made it wants to see it. */
const FRESH_MS = 100

/**
 * Serves a network over HTTP: its controls, and the interfaces, which reach it by its liteserver as they would any other.
 * Returns the controls that the interfaces know of.
 */
export const serveNetwork = async (
  controls: NetworkControls,
  globalConfig: string,
  { host = '127.0.0.1', port = 0, publicControls = false, dialect = 'chain' }: HttpOptions,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly url: string; readonly controls: NetworkControls }> => {
  const { liteServers: servers, zeroState, anchor } = parseGlobalConfig(globalConfig, 'The network itself')
  const limits = { proofs: 'full', queryTimeoutMs: QUERY_TIMEOUT_MS, freshMs: FRESH_MS } as const
  const node = await openNode({ servers, zeroState, anchor, ...limits, logger }, shutdown)
  // Its own, so that no get-method can keep the network from making blocks.
  const vm = await createVirtualMachine({ logger })
  shutdown.add('virtual machine of the interfaces', () => vm.close())
  const v2 = openV2({ node, vm, dialect })
  const rewound: NetworkControls = {
    ...controls,
    revert: async (id) => {
      const head = await controls.revert(id)
      await v2.forget()
      return head
    },
  }
  const mounts = [mount(dev, () => rewound, { allowRemote: publicControls }), ...v2.mounts]
  const server = await createHttpServer({ mounts, logger, host, port })
  shutdown.add('http server', () => server.close())
  return { url: server.url, controls: rewound }
}
