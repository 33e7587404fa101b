import { type DevAccount, deriveAccountSecrets, openDevAccounts } from '../wallets/createDevAccounts.ts'
import { deriveKeys } from './networkKeys.ts'
import { listWellKnownSecrets, WELL_KNOWN_SEED } from './wellKnownSecrets.ts'

/** Wallets of the fifth version have a network's id in their address; libraries take the main network's unless told otherwise. */
const WALLET_NETWORK_ID = -239
const MAX_KNOWN = 16

// A test suite starts many networks with the same seed.
const known = new Map<string, Promise<readonly DevAccount[]>>()

/** The accounts of a developer: the same for the same seed. */
export const findAccounts = (seed: string): Promise<readonly DevAccount[]> => {
  const before = known.get(seed)
  if (before !== undefined) return before
  const accounts = openAccounts(seed)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(seed, accounts)
  return accounts
}

const openAccounts = async (seed: string): Promise<readonly DevAccount[]> => {
  const secrets =
    seed === WELL_KNOWN_SEED ? listWellKnownSecrets() : await deriveAccountSecrets(deriveKeys(seed).accounts)
  return openDevAccounts(secrets, WALLET_NETWORK_ID)
}
