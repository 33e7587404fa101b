import { createHttpServer } from '../../api/core/createHttpServer.ts'
import { mount } from '../../api/core/Mount.ts'
import { dev } from '../../api/dev/index.ts'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import type { Logger } from '../../observe/Logger.ts'

export type HttpOptions = {
  readonly host?: string
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Lets programs on other machines use the controls, too. */
  readonly publicControls?: boolean
}

/** Serves the controls of a network over HTTP. */
export const serveControls = (
  controls: NetworkControls,
  { host = '127.0.0.1', port = 0, publicControls = false }: HttpOptions,
  logger: Logger,
) => createHttpServer({ mounts: [mount(dev, () => controls, { allowRemote: publicControls })], logger, host, port })
