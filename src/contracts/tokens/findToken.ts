import type { Address } from '../../primitives/Address.ts'
import type { RunMethod } from '../methods/RunMethod.ts'
import { findJettonMaster } from './findJettonMaster.ts'
import { findJettonWallet } from './findJettonWallet.ts'
import { findNftCollection } from './findNftCollection.ts'
import { findNftItem } from './findNftItem.ts'
import type { TokenFacts } from './TokenFacts.ts'

/** What kind of token contract is at this address, the first in this order; a contract may well be several. */
export const findToken = async (run: RunMethod, address: Address): Promise<TokenFacts | undefined> =>
  (await findJettonMaster(run, address)) ??
  (await findJettonWallet(run, address)) ??
  (await findNftCollection(run, address)) ??
  (await findNftItem(run, address))
