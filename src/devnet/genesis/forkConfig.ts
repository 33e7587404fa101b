import { Dict } from '../../codec/cell/Dict.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  configDictType,
  encodeConfigParam,
  findConfigParam,
} from '../../codec/tlb/config/configParams.ts'
import { GenesisError } from './GenesisOptions.ts'

/** What the block maker knows how to do, by capability bits. */
const KNOWN_CAPABILITIES = 0x02n | 0x04n | 0x08n | 0x20n | 0x40n | 0x80n

/** Our configuration contract and faucet use instructions of this version. */
const OLDEST_VERSION = 12

/** Replaced by the parameters of the embedded network. */
const REPLACED = [0, 1, 7, 12, 28, 34] as const satisfies readonly ConfigParamId[]
/**
 * Without a meaning for one validator: a fee collector of its own, a newer consensus, other sets of validators. The last is the mark
 * that every embedded network sets in its first key block.
 */
const REMOVED: readonly number[] = [3, 30, 32, 33, 35, 36, 37, -999]

/**
 * The configuration of a fork: that of the forked network, except for what making blocks with one validator needs. `own` is the
 * configuration that the embedded network would have without a fork. `docs/fork.md` lists the parameters.
 */
export const createForkConfig = (forked: ConfigDict, own: ConfigDict, supportedVersion: number): ConfigDict => {
  const cells = new Map(forked.entries())
  for (const id of REMOVED) cells.delete(id)
  for (const id of REPLACED) cells.set(id, own.find(id)!)
  const set = <Id extends ConfigParamId>(id: Id, value: ConfigParamValue<Id>): void => {
    cells.set(id, encodeConfigParam(id, value))
  }
  const version = findConfigParam(forked, 8)
  if (version === undefined) throw new GenesisError('The configuration of the forked network has no parameter 8.')
  set(8, {
    version: Math.min(Math.max(version.version, OLDEST_VERSION), supportedVersion),
    capabilities: version.capabilities & KNOWN_CAPABILITIES,
  })
  const special = new Map(
    [forked, own].flatMap((config) =>
      (findConfigParam(config, 31)?.entries() ?? []).map(
        ([hash]) => [Buffer.from(hash).toString('hex'), hash] as const,
      ),
    ),
  )
  const { type } = findConfigParam(own, 31)!
  set(
    31,
    Dict.of(
      type,
      Array.from(special.values(), (hash) => [hash, true] as const),
    ),
  )
  return Dict.of(configDictType, cells)
}

/** Masterchain accounts that blocks of the fork run by themselves. */
export const listForkContracts = (config: ConfigDict): readonly Uint8Array[] =>
  findConfigParam(config, 31)
    ?.entries()
    .map(([hash]) => hash.slice()) ?? []
