import { join, resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import type { Subnet } from '../../gateway/clientAddress.ts'
import type { AccessControlOptions } from '../../gateway/createAccessControl.ts'
import { createPlans, type Plans } from '../../gateway/plans.ts'
import { UsageError } from '../errors.ts'
import { isPrivate } from '../operations/operatorAccess.ts'
import type { SecretOptions } from '../secrets.ts'

export type GatewayOptions = Pick<AccessControlOptions, 'network' | 'anonymous' | 'isLocalFree'> & {
  readonly plans: Plans
  readonly trustedProxies: readonly Subnet[]
  /** URL of a Redis server shared with other processes. */
  readonly redisUrl: string | undefined
  readonly secret: SecretOptions
  /** Maximum sign-up keys per IP address and day; without it, sign-up is disabled. */
  readonly selfServiceKeys: number | undefined
}

/**
 * Settings of API keys and rate limits; `undefined` without limits. An embedded network on loopback has no
 * limits unless they are enabled explicitly.
 */
export const gatewayOptions = (
  config: Config,
  { folder, isEmbedded }: { readonly folder: string | undefined; readonly isEmbedded: boolean },
): GatewayOptions | undefined => {
  if (config.limits === false) return undefined
  const pools = new Set(config.nodePools.map(({ pool }) => pool))
  for (const { name, pool } of config.plans) {
    if (pool !== undefined && !pools.has(pool)) {
      throw new UsageError(
        `The plan ${name} names the pool ${pool}, of which no server is known.`,
        `Name one with --node-pool ${pool}=host:port:key.`,
      )
    }
  }
  return {
    network: isEmbedded ? 'custom' : config.network,
    isLocalFree: isEmbedded && isPrivate(config) && config.limits !== true,
    anonymous: { v2: config.anonymousV2, v3: config.anonymousV3 },
    plans: createPlans(config.plans),
    trustedProxies: config.trustedProxies,
    redisUrl: config.redisUrl?.reveal(),
    secret: { given: config.keysSecret?.reveal(), folder },
    selfServiceKeys: config.selfService ? config.selfServiceKeys : undefined,
  }
}

/** Where the debugger keeps source maps. */
export const sourceFolder = (config: Config, workingDir: string): string =>
  join(dataFolder(config, workingDir), 'sources')

/** The absolute path of the data folder. */
export const dataFolder = (config: Config, workingDir: string): string => resolve(workingDir, config.dataDir)
