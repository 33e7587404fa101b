import { join } from 'node:path'
import type { Beside } from '../../config/loadFurther.ts'
import type { Config } from '../../config/settings.ts'
import { operatorAccessOf } from '../operations/operatorAccess.ts'
import { dataFolder, gatewayOptions } from '../serve/gatewayOptions.ts'
import type { HttpOptions } from './serveNetwork.ts'

export type HttpLocation = {
  /** Data folder of the network; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly workingDir: string
  readonly controlsToken: string | undefined
  /** The first network, where this is a further one. */
  readonly beside: Beside | undefined
}

/** How the settings say that an embedded network is served. */
export const httpOptionsOf = (
  config: Config,
  { folder, workingDir, controlsToken, beside }: HttpLocation,
): Omit<HttpOptions, 'sockets'> => {
  const secret = { given: config.keysSecret?.reveal(), folder: secretFolder(config, workingDir) }
  return {
    host: config.host,
    port: config.port,
    controlsToken,
    name: beside?.name,
    operator: operatorAccessOf(config, { isEmbedded: true }),
    dialect: config.dialect,
    responseCache: config.responseCache,
    maxIndexLagMs: config.readyIndexLag,
    drain: { delayMs: config.drainDelay, timeoutMs: config.drainTimeout },
    sourceFolder: folder && join(folder, 'sources'),
    gateway: gatewayOptions(config, { folder: secret.folder, isEmbedded: true, workingDir, beside }),
    streaming: config,
    ...(config.webhooks && { webhooks: { settings: config, secret } }),
  }
}

/** A network in memory leaves nothing behind; an external database keeps its API keys. */
const secretFolder = (config: Config, workingDir: string): string | undefined =>
  config.ephemeral && config.databaseUrl === undefined ? undefined : dataFolder(config, workingDir)
