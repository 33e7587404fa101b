import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { type DevAccount, openDevAccounts } from '../wallets/createDevAccounts.ts'

const purpose = new TextEncoder().encode('accounts of the demonstration')

/**
 * The accounts that the demonstration signs with: the same for the same seed, and none of the printed ones,
 * whose sequence numbers belong to the developer. They have keys but no mnemonics.
 */
export const createDemoAccounts = (seed: Uint8Array, networkGlobalId: number): readonly DevAccount[] =>
  openDevAccounts(
    (index) => ({ mnemonic: [], keySeed: sha256(concatBytes([seed, purpose, Uint8Array.of(index)])) }),
    networkGlobalId,
  )
