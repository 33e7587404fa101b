import type { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { configDictType, findConfigParam } from '../codec/tlb/config/configParams.ts'

/** The global version that a configuration puts in force; 0 where it says nothing. */
export const readGlobalVersionOf = (config: Cell): number =>
  findConfigParam(new Dict(configDictType, config), 8)?.version ?? 0

/** A sentence for whoever runs the service, or `undefined` where the virtual machine knows all rules of the network. */
export const describeVersionGap = (supportedVersion: number, config: Cell): string | undefined => {
  const version = readGlobalVersionOf(config)
  if (version <= supportedVersion) return undefined
  return (
    `The network runs global version ${version}, the virtual machine here knows the rules up to ${supportedVersion}: ` +
    'what it computes may differ from what the network does.'
  )
}
