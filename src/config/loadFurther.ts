import { join, resolve } from 'node:path'
import { ServiceWideSettingError } from './errors.ts'
import type { FurtherNetwork } from './Kind.ts'
import { type LoadedConfig, type LoadOptions, loadConfig, readConfigFile, resolveConfig } from './load.ts'
import { type Config, serviceWideSettings, settings, sharedSettings } from './settings.ts'

/** What a network that is served beside another one knows of it. */
export type Beside = {
  readonly name: string
  /** Settings of the first network. */
  readonly first: Config
}

export type NetworkConfig = Pick<LoadedConfig, 'config' | 'given'> & {
  /** Absent for the first network. */
  readonly beside?: Beside
}

export type NetworkLoadOptions = LoadOptions & {
  /** Name of a further network; without it, the settings of the first one are loaded. */
  readonly also?: string | undefined
}

/** The settings of the first network of a command line, or of a further one. */
export const loadNetworkConfig = async (options: NetworkLoadOptions): Promise<NetworkConfig> => {
  const { config: first, given } = await loadConfig(options)
  const network = first.also.find(({ name }) => name === options.also)
  return network === undefined ? { config: first, given } : loadFurther(network, first, options)
}

export const loadFurther = async (
  { name, file: path }: FurtherNetwork,
  first: Config,
  { env, workingDir }: Pick<LoadOptions, 'env' | 'workingDir'>,
): Promise<NetworkConfig> => {
  const file = path === undefined ? undefined : await readConfigFile(resolve(workingDir, path))
  const { config: own, given } = resolveConfig({ flags: new Map(), env: ownVariables(name, env), file })
  const refused = serviceWideSettings.find((each) => given.has(each))
  if (refused !== undefined) throw new ServiceWideSettingError(refused, name)
  const values = Object.keys(settings).map((each) => {
    const setting = each as keyof Config
    return [setting, sharedSettings.has(setting) && !given.has(setting) ? first[setting] : own[setting]]
  })
  const config: Config = {
    ...(Object.fromEntries(values) as Config),
    ...(!given.has('dataDir') && { dataDir: join(first.dataDir, 'networks', name) }),
    ...(isPublic(name) && !namesNetwork(given) && { network: name }),
  }
  return { config: Object.freeze(config), given, beside: { name, first } }
}

/** Its variables, by the names that they have for the first network. */
const ownVariables = (name: string, env: LoadOptions['env']): LoadOptions['env'] => {
  const prefix = `CHAINCENTER_${name.toUpperCase().replaceAll('-', '_')}__`
  const own = Object.entries(env).filter(([variable]) => variable.startsWith(prefix))
  return Object.fromEntries(own.map(([variable, text]) => [`CHAINCENTER_${variable.slice(prefix.length)}`, text]))
}

const isPublic = (name: string): name is 'main' | 'test' => name === 'main' || name === 'test'

const namesNetwork = (given: ReadonlySet<string>): boolean =>
  ['network', 'globalConfig', 'liteservers'].some((each) => given.has(each))
