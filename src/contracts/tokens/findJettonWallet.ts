import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { addressArgument } from '../methods/arguments.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import type { JettonWallet } from './TokenFacts.ts'

/** Whose wallet of which jetton a contract says to be. */
export type WalletClaim = Pick<JettonWallet, 'owner' | 'master'>

/**
 * The jetton wallet that this contract is, where its master says the same. The master is not asked again about a claim that
 * `isVouchedFor` knows.
 */
export const findJettonWallet = async (
  run: RunMethod,
  address: Address,
  isVouchedFor: (claim: WalletClaim) => boolean = () => false,
): Promise<JettonWallet | undefined> => {
  const result = await run(address, 'get_wallet_data', [])
  const wallet = findReadable(() => readWalletData(result))
  if (wallet === undefined) return undefined
  if (!isVouchedFor(wallet) && !(await masterVouches(run, wallet, address))) return undefined
  return { ...wallet, mintlessClaimed: await findClaimed(run, address) }
}

const readWalletData = (result: MethodResult): Omit<JettonWallet, 'mintlessClaimed'> => {
  const r = new ResultReader(result)
  return {
    kind: 'jettonWallet',
    balance: r.readInt(),
    owner: r.readAddress(),
    master: r.readAddress(),
    walletCode: r.readCell(),
  }
}

const masterVouches = async (run: RunMethod, { master, owner }: WalletClaim, address: Address): Promise<boolean> => {
  const result = await run(master, 'get_wallet_address', [addressArgument(owner)])
  const named = findReadable(() => new ResultReader(result).readAddress())
  return named !== undefined && addressesEqual(named, address)
}

/** Only one number alone is an answer; other contracts have a method of this name too. */
const findClaimed = async (run: RunMethod, address: Address): Promise<boolean | undefined> => {
  const result = await run(address, 'is_claimed', [])
  return result.stack.length === 1 ? findReadable(() => new ResultReader(result).readBool()) : undefined
}
