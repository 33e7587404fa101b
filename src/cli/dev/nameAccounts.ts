import type { Network } from '../../devnet/network/createNetwork.ts'
import { type Address, formatUpperRawAddress } from '../../primitives/Address.ts'

/** Names of the accounts of an embedded network, by raw address. */
export const nameAccounts = async (
  { accounts, faucet, store }: Network,
  hasDemo: boolean,
): Promise<Readonly<Record<string, string>>> => {
  const named: (readonly [Address, string])[] = [
    ...accounts.map(({ name, wallet }) => [wallet.address, name] as const),
    [faucet, 'Faucet'],
  ]
  if (hasDemo) {
    // The demonstration is loaded only where it runs.
    const { listDemoNames } = await import('../../devnet/network/runDemo.ts')
    named.push(...listDemoNames(store.zeroState.rootHash))
  }
  return Object.fromEntries(named.map(([address, name]) => [formatUpperRawAddress(address), name]))
}
