import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { type DevAccount, openDevAccounts } from '../wallets/createDevAccounts.ts'

const purpose = new TextEncoder().encode('accounts of the demonstration')

/**
 * The accounts that the demonstration signs with: the same for the same seed, and none of those that a developer is told of,
 * whose sequence numbers are his. They have keys without words.
 */
export const createDemoAccounts = (seed: Uint8Array, networkGlobalId: number): readonly DevAccount[] =>
  openDevAccounts(
    (index) => ({ mnemonic: [], keySeed: sha256(concatBytes([seed, purpose, Uint8Array.of(index)])) }),
    networkGlobalId,
  )
