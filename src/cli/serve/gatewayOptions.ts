import { join, resolve } from 'node:path'
import type { Beside } from '../../config/loadFurther.ts'
import type { Config } from '../../config/settings.ts'
import type { Subnet } from '../../gateway/clientAddress.ts'
import type { AccessControlOptions } from '../../gateway/createAccessControl.ts'
import { createPlans, type Plans } from '../../gateway/plans.ts'
import { hasConfiguredNetwork } from '../Command.ts'
import { type DatabaseLocation, databaseFolder } from '../database/openDatabase.ts'
import { UsageError } from '../errors.ts'
import { isPrivate } from '../operations/operatorAccess.ts'
import type { SecretOptions } from '../secrets.ts'

export type GatewayLocation = {
  /** Data folder; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly isEmbedded: boolean
  readonly workingDir: string
  readonly beside: Beside | undefined
}

export type GatewayOptions = Pick<AccessControlOptions, 'anonymous' | 'isLocalFree'> & {
  /** Keys of other networks are refused. */
  readonly network: string
  /** The keys of another network are used; without it, those in the database of the index. */
  readonly keyRing?: SharedKeyRing | undefined
  readonly plans: Plans
  readonly trustedProxies: readonly Subnet[]
  /** URL of a Redis server shared with other processes. */
  readonly redisUrl: string | undefined
  readonly secret: SecretOptions
  /** Maximum sign-up keys per IP address and day; without it, sign-up is disabled. */
  readonly selfServiceKeys: number | undefined
}

/** API keys in the database of the first network, for a further one. */
export type SharedKeyRing = {
  readonly database: Pick<DatabaseLocation, 'url' | 'folder'>
  /** The network of those keys, which are valid here too. */
  readonly network: string
  /** Name of the network that shares them. */
  readonly name: string
}

/**
 * Settings of API keys and rate limits; `undefined` without limits. An embedded network on loopback has no
 * limits unless they are enabled explicitly.
 */
export const gatewayOptions = (
  config: Config,
  { folder, isEmbedded, workingDir, beside }: GatewayLocation,
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
  const network = isEmbedded ? 'custom' : config.network
  const shared = beside && findKeyRing(beside, workingDir)
  return {
    network,
    keyRing: shared?.keyRing,
    isLocalFree: isEmbedded && isPrivate(config) && config.limits !== true,
    anonymous: { v2: config.anonymousV2, v3: config.anonymousV3 },
    plans: createPlans(config.plans),
    trustedProxies: config.trustedProxies,
    redisUrl: config.redisUrl?.reveal(),
    secret: shared?.secret ?? { given: config.keysSecret?.reveal(), folder },
    selfServiceKeys: config.selfService && shared === undefined ? config.selfServiceKeys : undefined,
  }
}

/** Where the first network has its keys; `undefined` if it stores none. */
const findKeyRing = (
  { name, first }: Beside,
  workingDir: string,
): { readonly keyRing: SharedKeyRing; readonly secret: SecretOptions } | undefined => {
  const url = first.databaseUrl?.reveal()
  const isConfigured = hasConfiguredNetwork(first)
  const isStored = url !== undefined || isConfigured || !first.ephemeral
  if (!first.index || !isStored) return undefined
  const folder = dataFolder(first, workingDir)
  return {
    keyRing: {
      name,
      network: isConfigured ? first.network : 'custom',
      database: { url, folder: databaseFolder(folder) },
    },
    secret: { given: first.keysSecret?.reveal(), folder },
  }
}

/** Where the debugger keeps source maps. */
export const sourceFolder = (config: Config, workingDir: string): string =>
  join(dataFolder(config, workingDir), 'sources')

/** The absolute path of the data folder. */
export const dataFolder = (config: Config, workingDir: string): string => resolve(workingDir, config.dataDir)
