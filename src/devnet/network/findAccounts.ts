import { LruCache } from '../../primitives/LruCache.ts'
import { type DevAccount, deriveAccountSecrets, openDevAccounts } from '../wallets/createDevAccounts.ts'
import { deriveKeys } from './networkKeys.ts'
import { listWellKnownSecrets, WELL_KNOWN_SEED } from './wellKnownSecrets.ts'

/** Wallets of the fifth version have a network's id in their address; libraries take the main network's unless told otherwise. */
export const WALLET_NETWORK_ID = -239

// A test suite starts many networks with the same seed.
const known = new LruCache<Promise<readonly DevAccount[]>>(16)

/** The accounts of a developer: the same for the same seed. */
export const findAccounts = (seed: string): Promise<readonly DevAccount[]> => {
  const before = known.find(seed)
  if (before !== undefined) return before
  const accounts = openAccounts(seed)
  known.set(seed, accounts)
  return accounts
}

const openAccounts = async (seed: string): Promise<readonly DevAccount[]> => {
  const secrets =
    seed === WELL_KNOWN_SEED ? listWellKnownSecrets() : await deriveAccountSecrets(deriveKeys(seed).accounts)
  return openDevAccounts((index) => secrets[index]!, WALLET_NETWORK_ID)
}
