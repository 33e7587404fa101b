import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { compiledCode } from '../contracts/compiledCode.ts'
import { dnsCollectionAddress, dnsCollectionInit, dnsRootAddress, dnsRootInit } from '../contracts/dnsContracts.ts'
import { faucetAddress, faucetInit } from '../contracts/faucetContract.ts'
import { createGenesis } from '../genesis/createGenesis.ts'
import type { GenesisAccount } from '../genesis/GenesisOptions.ts'
import type { ZeroState } from '../store/ChainStore.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import type { NetworkFacts } from './networkFile.ts'
import type { NetworkKeys } from './networkKeys.ts'

const GRAM = 1_000_000_000n
const FAUCET_BALANCE = 1_000_000_000n * GRAM
const CONTRACT_BALANCE = 1000n * GRAM
const ACCOUNT_BALANCE = 1_000_000n * GRAM
/** Shards may be split further than a network begins with. */
const MAX_SPLIT = 4

/** The first states of a network: its contracts, names, the faucet, and the accounts of the developer with money in them. */
export const createFirstStates = (
  { globalId, startTime, shards }: NetworkFacts,
  keys: NetworkKeys,
  accounts: readonly DevAccount[],
): readonly ZeroState[] =>
  createGenesis({
    globalId,
    utime: startTime,
    validatorKey: keys.validator.publicKey,
    configKey: keys.config.publicKey,
    minSplit: Math.log2(shards),
    maxSplit: MAX_SPLIT,
    configCode: compiledCode('config'),
    electorCode: compiledCode('elector'),
    dnsRoot: dnsRootAddress().hash,
    accounts: [
      fund(dnsRootAddress(), CONTRACT_BALANCE, dnsRootInit()),
      fund(dnsCollectionAddress, CONTRACT_BALANCE, dnsCollectionInit()),
      fund(faucetAddress(keys.faucet.publicKey), FAUCET_BALANCE, faucetInit(keys.faucet.publicKey)),
      ...accounts.map(({ wallet }) => fund(wallet.address, ACCOUNT_BALANCE, wallet.init)),
    ],
  }).zeroStates

const fund = (address: GenesisAccount['address'], grams: bigint, init: GenesisAccount['init']): GenesisAccount => ({
  address,
  balance: { grams, extra: NO_EXTRA_CURRENCIES },
  init,
})
