import { join, resolve } from 'node:path'
import type { Config } from '../config/settings.ts'
import type { Examination } from '../node/doctor/Examination.ts'
import { examineServers } from '../node/doctor/examineServers.ts'
import { type GlobalConfig, GlobalConfigError, readGlobalConfig } from '../node/globalConfig.ts'
import { LiteClient } from '../node/LiteClient.ts'
import { TrustStore } from '../node/TrustStore.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { toBase64 } from '../primitives/base64.ts'
import { type LiteServerAddress, liteServerKey } from '../primitives/LiteServerAddress.ts'
import type { CommandContext } from './Command.ts'
import { NetworkSettingsError } from './errors.ts'
import { fetchGlobalConfig } from './serve/fetchGlobalConfig.ts'
import { knownNetworks } from './serve/knownNetworks.ts'

/** What the settings say of the network. Without a global configuration nothing is known of it but servers. */
export type Network = {
  readonly servers: readonly LiteServerAddress[]
  /** Which network it is, and the block where trust begins. */
  readonly origin: { readonly zeroState: BlockIdExt; readonly anchor: BlockIdExt } | undefined
}

/** The servers that were named or else those of the global configuration, which in any case says which network it is. */
export const readNetwork = async (context: NetworkContext): Promise<Network> => {
  const { liteservers, network, globalConfig: path } = context.config
  const found = await findGlobalConfig(context).catch((cause: unknown) => {
    if (!(cause instanceof GlobalConfigError)) throw cause
    throw new NetworkSettingsError(cause.message, { cause })
  })
  if (found === undefined) {
    if (liteservers.length === 0) throw new NetworkSettingsError('No liteserver is configured.')
    return { servers: withoutRepeats(liteservers), origin: undefined }
  }
  const { liteServers, zeroState, anchor } = found
  const known = network === 'custom' ? undefined : knownNetworks[network]
  if (known !== undefined && toBase64(zeroState.rootHash) !== known.zeroStateRootHash) {
    throw new NetworkSettingsError(`The global configuration ${path} is not that of the network ${network}.`)
  }
  const servers = withoutRepeats(liteservers.length > 0 ? liteservers : liteServers)
  if (servers.length === 0) {
    throw new NetworkSettingsError(
      `The global configuration ${path ?? `of the network ${network}`} names no liteserver.`,
    )
  }
  return { servers, origin: { zeroState, anchor } }
}

type NetworkContext = Pick<CommandContext, 'config' | 'workingDir' | 'logger'>

/** The one that was given, or the one that the network publishes. */
const findGlobalConfig = async ({ config, workingDir, logger }: NetworkContext): Promise<GlobalConfig | undefined> => {
  const { network, globalConfig: path, dataDir } = config
  if (path !== undefined) return readGlobalConfig(resolve(workingDir, path))
  if (network === 'custom') return undefined
  const kept = join(resolve(workingDir, dataDir), `${network}.config.json`)
  return fetchGlobalConfig(knownNetworks[network].globalConfigUrl, kept, logger)
}

/** A client that is closed with everything else. */
export const openLiteClient = (
  address: LiteServerAddress,
  { config, shutdown }: Pick<CommandContext, 'config' | 'shutdown'>,
): LiteClient => {
  const client = new LiteClient(address, clientOptions(config))
  shutdown.add(client.name, () => client.close())
  return client
}

/** Every server, looked at. The notes say what could not be looked at in any of them. */
export const examineNetwork = async (
  context: CommandContext,
): Promise<{ readonly examinations: readonly Examination[]; readonly notes: readonly string[] }> => {
  const { config, shutdown } = context
  const { servers, origin } = await readNetwork(context)
  const checked = config.proofs === 'full' ? origin : undefined
  const examinations = await examineServers(servers, {
    zeroState: origin?.zeroState,
    anchor: checked?.anchor,
    trusted: checked && (await findTrusted(context, checked.zeroState)),
    stepMs: Math.min(config.queryTimeout, DOCTOR_STEP_MS),
    limitMs: DOCTOR_LIMIT_MS,
    signal: shutdown.signal,
  })
  const notes = [
    ...(origin === undefined ? ['Without --global-config neither the network nor any proof could be checked.'] : []),
    ...(config.proofs === 'full' ? [] : [`With --proofs ${config.proofs} the chain of blocks was not checked.`]),
  ]
  return { examinations, notes }
}

/** The newest key block that was proven by an earlier run of the service. */
const findTrusted = async (
  { config, workingDir, logger }: CommandContext,
  zeroState: BlockIdExt,
): Promise<BlockIdExt | undefined> => {
  const stored = await new TrustStore(resolve(workingDir, config.dataDir), zeroState, logger).load()
  return stored?.keyBlock
}

const DOCTOR_STEP_MS = 3000
const DOCTOR_LIMIT_MS = 9500
const MAX_CONNECT_MS = 5000

const clientOptions = ({ queryTimeout }: Config) => ({
  timeoutMs: queryTimeout,
  connectTimeoutMs: Math.min(queryTimeout, MAX_CONNECT_MS),
})

const withoutRepeats = (servers: readonly LiteServerAddress[]): readonly LiteServerAddress[] => [
  ...new Map(servers.map((server) => [liteServerKey(server), server])).values(),
]
