import { resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { createPlans } from '../../gateway/plans.ts'
import { UsageError } from '../errors.ts'
import { isPrivate } from '../operations/operatorAccess.ts'
import type { GatewayOptions } from './openGateway.ts'

/**
 * What the settings say of keys and limits; `undefined` where nobody is limited. An embedded network that only this machine reaches does
 * not limit its programs unless it is told to.
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

/** Where everything is kept between runs. */
export const dataFolder = (config: Config, workingDir: string): string => resolve(workingDir, config.dataDir)
