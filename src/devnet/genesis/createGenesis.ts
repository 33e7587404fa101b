import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { addCurrency } from '../../codec/tlb/CurrencyCollection.ts'
import type { ConfigDict } from '../../codec/tlb/config/configParams.ts'
import { librariesType } from '../../codec/tlb/StateInit.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { configAddress } from '../contracts/configContract.ts'
import type { ZeroState } from '../store/ChainStore.ts'
import { buildMcStateExtra } from './buildMcStateExtra.ts'
import { balanceOf, buildAccounts, buildZeroState } from './buildZeroState.ts'
import { checkOptions } from './checkOptions.ts'
import { collectLibraries } from './collectLibraries.ts'
import { createBasechain } from './config/createBasechain.ts'
import { createConfig } from './config/createConfig.ts'
import type { GenesisAccount, GenesisOptions } from './GenesisOptions.ts'
import { createConfigContract, createElector } from './systemContracts.ts'

export type Genesis = {
  /** Of the masterchain, then of the basechain. */
  readonly zeroStates: readonly ZeroState[]
}

const inWorkchain = (accounts: readonly GenesisAccount[], workchain: number): readonly GenesisAccount[] =>
  accounts.filter(({ address }) => address.workchain === workchain)

/** The accounts of the masterchain, those that every network has among them. */
const listMasterAccounts = (options: GenesisOptions, basestate: ZeroState): MasterAccounts => {
  const { globalId, utime, validatorKey, configKey = validatorKey, dnsRoot } = options
  const others = [createElector(options.electorCode), ...inWorkchain(options.accounts, masterchain)]
  const special = others.filter(({ init }) => init?.special !== undefined).map(({ address }) => address.hash)
  const config = createConfig({
    globalId,
    utime,
    validatorKey,
    dnsRoot,
    basechain: createBasechain(basestate.id, utime, options),
    fundamentalContracts: [configAddress.hash, ...special],
  })
  return { config, accounts: [createConfigContract(options.configCode, rootOf(config), configKey), ...others] }
}

type MasterAccounts = { readonly config: ConfigDict; readonly accounts: readonly GenesisAccount[] }

const rootOf = ({ root }: ConfigDict): Cell => {
  if (!(root instanceof Cell)) throw new TypeError('A configuration that was just made has a root of its own.')
  return root
}

/** Makes the first states of a network. The same options always give the same bytes. */
export const createGenesis = (options: GenesisOptions): Genesis => {
  checkOptions(options)
  const { globalId, utime } = options
  const baseAccounts = buildAccounts(inWorkchain(options.accounts, 0))
  const basestate = buildZeroState({
    globalId,
    utime,
    workchain: 0,
    accounts: baseAccounts,
    libraries: new Dict(librariesType),
    custom: undefined,
  })
  const { config, accounts } = listMasterAccounts(options, basestate)
  const masterAccounts = buildAccounts(accounts)
  const zerostate = buildZeroState({
    globalId,
    utime,
    workchain: masterchain,
    accounts: masterAccounts,
    libraries: collectLibraries(accounts),
    custom: buildMcStateExtra({
      config,
      validatorKey: options.validatorKey,
      globalBalance: addCurrency(balanceOf(masterAccounts), balanceOf(baseAccounts)),
    }),
  })
  return { zeroStates: [zerostate, basestate] }
}
