import { join, resolve } from 'node:path'
import type { ForkPoint, ForkSource } from '../../devnet/fork/ForkSource.ts'
import { ForkUnavailableError } from '../../devnet/fork/ForkSource.ts'
import { GlobalConfigError, readGlobalConfig } from '../../node/globalConfig.ts'
import { LiteClient } from '../../node/LiteClient.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import { TrustStore } from '../../node/TrustStore.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { formatLiteServer, type LiteServerAddress, parseLiteServer } from '../../primitives/LiteServerAddress.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { fetchGlobalConfig, knownNetworks } from '../compose.ts'
import { UsageError } from '../errors.ts'
import { type NodeOptions, openNode } from '../serve/openNode.ts'

export type ForkSourceOptions = {
  /** Folder for the downloaded global configuration and the proven key block. */
  readonly folder: string
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly queryTimeoutMs?: number
}

const QUERY_TIMEOUT_MS = 10_000

/** The name of a forked network as it is stored: paths are made absolute, so that the fork can be resumed from any folder. */
export const normalizeForkName = (name: string, workingDir: string): string => {
  if (isKnown(name) || isUrl(name)) return name
  const server = findLiteServer(name)
  return server === undefined ? resolve(workingDir, name) : formatLiteServer(server)
}

/** A forked network over its liteservers. It connects when something is needed, so a fork can be resumed offline. */
export const openForkSource = (name: string, options: ForkSourceOptions): ForkSource => {
  let opening: Promise<ProvenNode> | undefined
  const open = (): Promise<ProvenNode> => {
    opening ??= openForkedNetwork(name, options).catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    async getPoint(seqno): Promise<ForkPoint> {
      try {
        const node = await open()
        const block = seqno === undefined ? await node.getHead() : await node.getMasterchainBlockId(seqno)
        const header = await node.getBlockHeader(block)
        const { genUtime, endLt } = header.info
        return { block, utime: genUtime, endLt, globalId: header.block.globalId }
      } catch (cause) {
        if (!(cause instanceof CodedError) || cause instanceof UsageError) throw cause
        const what = seqno === undefined ? 'the newest block' : `block ${seqno}`
        throw new ForkUnavailableError(`Cannot fork ${name} at ${what}: ${cause.message}`, { cause })
      }
    },
    async getConfig(block) {
      const { params } = await (await open()).getConfig(undefined, block)
      return params.config
    },
    async findAccount(block, { workchain, hash }) {
      const state = await (await open()).getAccountState({ workchain, id: hash }, block)
      if (state.kind === 'absent') return undefined
      const { account, lastTransLt, lastTransHash } = state
      return { account, lastTransLt, lastTransHash }
    },
    async findLibrary(block, hash) {
      const { found } = await (await open()).getPublicLibraries(block, [hash])
      return found[0]?.library
    },
  }
}

const openForkedNetwork = async (name: string, options: ForkSourceOptions): Promise<ProvenNode> => {
  const { folder, logger, shutdown, queryTimeoutMs = QUERY_TIMEOUT_MS } = options
  const network = await findNetwork(name, options)
  const store = network.proofs === 'full' ? new TrustStore(join(folder, 'fork'), network.zeroState, logger) : undefined
  return openNode({ ...network, queryTimeoutMs, store, logger: logger.child({ network: 'forked' }) }, shutdown)
}

type ForkedNetwork = Pick<NodeOptions, 'servers' | 'zeroState' | 'anchor' | 'proofs'>

const findNetwork = async (name: string, { folder, logger }: ForkSourceOptions): Promise<ForkedNetwork> => {
  const server = isUrl(name) ? undefined : findLiteServer(name)
  if (server !== undefined) return networkOfServer(server)
  const known = isKnown(name) ? knownNetworks[name] : undefined
  const url = known?.globalConfigUrl ?? (isUrl(name) ? name : undefined)
  const cached = join(folder, known === undefined ? 'fork.config.json' : `${name}.config.json`)
  const config = await (url === undefined ? readGlobalConfig(name) : fetchGlobalConfig(url, cached, logger))
  if (known !== undefined && toBase64(config.zeroState.rootHash) !== known.zeroStateRootHash) {
    throw new GlobalConfigError(`The global configuration at ${url} does not belong to the network ${name}.`)
  }
  const { liteServers: servers, zeroState, anchor } = config
  if (servers.length === 0) throw new GlobalConfigError(`The global configuration ${name} contains no liteserver.`)
  return { servers, zeroState, anchor, proofs: 'full' }
}

/** Nothing is known of a lone server's network: the block that it names is trusted, and everything below is proven. */
const networkOfServer = async (server: LiteServerAddress): Promise<ForkedNetwork> => {
  const client = new LiteClient(server, { timeoutMs: QUERY_TIMEOUT_MS, connectTimeoutMs: QUERY_TIMEOUT_MS })
  try {
    const { init } = await client.query('liteServer.getMasterchainInfo', {})
    const { rootHash, fileHash } = init
    const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, rootHash, fileHash }
    return { servers: [server], zeroState, anchor: zeroState, proofs: 'merkle' }
  } finally {
    client.close()
  }
}

const isKnown = (name: string): name is keyof typeof knownNetworks => name === 'main' || name === 'test'

const isUrl = (name: string): boolean => /^https?:\/\//.test(name)

const findLiteServer = (name: string): LiteServerAddress | undefined => {
  try {
    return parseLiteServer(name)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
