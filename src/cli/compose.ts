import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Config } from '../config/settings.ts'
import type { Examination } from '../node/doctor/Examination.ts'
import { examineServers } from '../node/doctor/examineServers.ts'
import { type GlobalConfig, GlobalConfigError, parseGlobalConfig, readGlobalConfig } from '../node/globalConfig.ts'
import { LiteClient } from '../node/LiteClient.ts'
import { TrustStore } from '../node/TrustStore.ts'
import type { Logger } from '../observe/Logger.ts'
import type { BlockIdExt } from '../primitives/BlockId.ts'
import { toBase64 } from '../primitives/base64.ts'
import { type LiteServerAddress, liteServerKey } from '../primitives/LiteServerAddress.ts'
import type { CommandContext } from './Command.ts'
import { NetworkSettingsError } from './errors.ts'

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
    throw new NetworkSettingsError(`The global configuration ${path} does not belong to the network ${network}.`)
  }
  const servers = withoutRepeats(liteservers.length > 0 ? liteservers : liteServers)
  if (servers.length === 0) {
    throw new NetworkSettingsError(
      `The global configuration ${path ?? `of the network ${network}`} contains no liteserver.`,
    )
  }
  return { servers, origin: { zeroState, anchor } }
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
    ...(origin === undefined ? ['Without --global-config the network and proofs were not checked.'] : []),
    ...(config.proofs === 'full' ? [] : [`With --proofs ${config.proofs} the chain of blocks was not checked.`]),
  ]
  return { examinations, notes }
}

const FETCH_TIMEOUT_MS = 10_000
const MAX_BYTES = 4 * 1024 * 1024

/**
 * The global configuration that a network publishes. It is fetched each time, as servers come and go, and kept at `path` for
 * when it cannot be.
 */
export const fetchGlobalConfig = async (url: string, path: string, logger: Logger): Promise<GlobalConfig> => {
  try {
    const text = await fetchText(url)
    const config = parseGlobalConfig(text, url)
    await keep(path, text)
    return config
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const kept = await readFile(path).catch(() => undefined)
    if (kept === undefined) {
      throw new GlobalConfigError(`Cannot download the global configuration from ${url}: ${reason}`, { cause })
    }
    logger.warn('global config download failed, using cached copy', { url, path, reason })
    return readGlobalConfig(path)
  }
}

const fetchText = async (url: string): Promise<string> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
  if (!response.ok) throw new GlobalConfigError(`HTTP status ${response.status}`)
  if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES) throw new GlobalConfigError('it is too long')
  return response.text()
}

const keep = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  // Several processes may be started at the same time.
  const fresh = `${path}.${process.pid}.new`
  await writeFile(fresh, text)
  await rename(fresh, path)
}

/** What is known of a public network without asking. */
export type KnownNetwork = {
  readonly globalId: number
  /** In base64. */
  readonly zeroStateRootHash: string
  /** Where its global configuration is published. */
  readonly globalConfigUrl: string
}

/** The networks that have a name in the settings. */
export const knownNetworks: { readonly [name in 'main' | 'test']: KnownNetwork } = {
  main: {
    globalId: -239,
    zeroStateRootHash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
    globalConfigUrl: 'https://ton.org/global.config.json',
  },
  test: {
    globalId: -3,
    zeroStateRootHash: 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=',
    globalConfigUrl: 'https://ton.org/testnet-global.config.json',
  },
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
