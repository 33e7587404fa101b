import type { Cell } from '../../codec/cell/Cell.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { configAddress, configData } from '../contracts/configContract.ts'
import { electorAddress, electorData } from '../contracts/electorContract.ts'
import type { GenesisAccount } from './GenesisOptions.ts'

const balance = { grams: 10_000_000_000n, extra: NO_EXTRA_CURRENCIES }

/** It runs after everything else in a block: what was decided there takes effect with it. */
export const createConfigContract = (code: Cell, config: Cell, publicKey: Uint8Array): GenesisAccount => ({
  address: configAddress,
  balance,
  init: { special: { tick: false, tock: true }, code, data: configData(config, publicKey) },
})

/** It runs before everything else in a block. */
export const createElector = (code: Cell): GenesisAccount => ({
  address: electorAddress,
  balance,
  init: { special: { tick: true, tock: false }, code, data: electorData() },
})
