import { type Address, addressesEqual } from '../../primitives/Address.ts'
import { addressArgument } from '../methods/arguments.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'
import type { JettonWallet } from './TokenFacts.ts'

/** The jetton wallet that this contract is, where its master says the same. */
export const findJettonWallet = async (run: RunMethod, address: Address): Promise<JettonWallet | undefined> => {
  const result = await run(address, 'get_wallet_data', [])
  const wallet = findReadable(() => readWalletData(result))
  if (wallet === undefined || !(await masterVouches(run, wallet, address))) return undefined
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

const masterVouches = async (
  run: RunMethod,
  { master, owner }: Pick<JettonWallet, 'master' | 'owner'>,
  address: Address,
): Promise<boolean> => {
  const result = await run(master, 'get_wallet_address', [addressArgument(owner)])
  const named = findReadable(() => new ResultReader(result).readAddress())
  return named !== undefined && addressesEqual(named, address)
}

/** Only one number alone is an answer; other contracts have a method of this name too. */
const findClaimed = async (run: RunMethod, address: Address): Promise<boolean | undefined> => {
  const result = await run(address, 'is_claimed', [])
  return result.stack.length === 1 ? findReadable(() => new ResultReader(result).readBool()) : undefined
}
