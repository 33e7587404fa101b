import { resolve } from 'node:path'
import { loadFurther } from '../../config/loadFurther.ts'
import type { Config } from '../../config/settings.ts'
import { type CommandContext, hasConfiguredNetwork } from '../Command.ts'
import { UsageError } from '../errors.ts'

/** A network of the service. */
export type PlannedNetwork = {
  readonly name: string
  /** Name of a further network in the settings; `undefined` for the first one. */
  readonly also: string | undefined
  /** Where it is served: empty, or `/` and its name. */
  readonly base: string
  readonly config: Config
}

/** First parts of the paths of a service, which a network cannot have for a name. */
const takenNames = new Set(
  'account api assets block blocks collection config debug dev disassemble dns docs faucet favicon-ico healthcheck images jetton keys metrics multisig nft ready search send shards streaming swagger tokens ton trace tx usage v2 v3 validators vesting webhooks'.split(
    ' ',
  ),
)

/** Reads the settings of all networks, and refuses what cannot be served together. */
export const planNetworks = async (context: CommandContext): Promise<readonly PlannedNetwork[]> => {
  const { config: first, commandLine, workingDir } = context
  if (first.reset) {
    throw new UsageError(
      '--reset cannot be used with --also.',
      'Start the network alone with --reset once: without --also, or with --config and the file of a further network.',
    )
  }
  const networks: PlannedNetwork[] = [
    { name: hasConfiguredNetwork(first) ? first.network : 'embedded', also: undefined, base: '', config: first },
  ]
  for (const network of first.also) {
    const { name } = network
    refuseName(name, networks)
    const { config } = await loadFurther(network, first, { ...commandLine, workingDir })
    networks.push({ name, also: name, base: `/${name}`, config })
  }
  for (const [at, network] of networks.entries()) {
    for (const other of networks.slice(0, at)) refuseShared(network, other, workingDir)
  }
  return networks
}

const refuseName = (name: string, before: readonly PlannedNetwork[]): void => {
  if (takenNames.has(name)) {
    throw new UsageError(
      `A network cannot be called ${name}: /${name} is a path of the first network.`,
      'Choose another name for it in --also.',
    )
  }
  if (before.some((other) => other.name === name)) {
    throw new UsageError(`There are two networks called ${name}.`, 'Choose another name for one of them in --also.')
  }
}

/** Two networks in one folder or database would overwrite each other. */
const refuseShared = (network: PlannedNetwork, other: PlannedNetwork, workingDir: string): void => {
  const both = `The networks ${other.name} and ${network.name}`
  const folderOf = ({ config }: PlannedNetwork): string => resolve(workingDir, config.dataDir)
  if (folderOf(network) === folderOf(other)) {
    throw new UsageError(`${both} have the same data folder.`, `Set another one for ${network.name}: dataDir.`)
  }
  const url = network.config.databaseUrl?.reveal()
  if (url !== undefined && url === other.config.databaseUrl?.reveal()) {
    throw new UsageError(`${both} have the same database.`, `Set another one for ${network.name}: databaseUrl.`)
  }
  const host = network.config.virtualHosts.find((each) => other.config.virtualHosts.includes(each))
  if (host !== undefined) {
    throw new UsageError(`${both} have the same host name ${host}.`, `Remove it from one of them: virtualHosts.`)
  }
}
