import type { TestContext } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { type ExistingAccount, openAccount } from '../../src/codec/tlb/Account.ts'
import { type CurrencyCollection, NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../src/devnet/network/createNetwork.ts'
import { findHeadAccount } from '../../src/devnet/network/headContext.ts'
import type { DevAccount } from '../../src/devnet/wallets/createDevAccounts.ts'
import { signTransfer, type TransferOrder } from '../../src/devnet/wallets/signTransfer.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'

export type TestNetwork = Network & { readonly logLines: string[] }

let shared: Promise<OwnedVirtualMachine> | undefined

/** The virtual machine of all networks of a process. */
export const shareMachine = (): Promise<OwnedVirtualMachine> => {
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  shared ??= createVirtualMachine({ logger, workers: 1 })
  return shared
}

/** Closes it, for the end of a file of tests. */
export const closeSharedMachine = async (): Promise<void> => {
  await (await shared)?.close()
  shared = undefined
}

export const TEST_START = 1_700_000_000

/** A network in memory that makes blocks when told to and whose clock only they move, with the well-known accounts. */
export const startTestNetwork = async (t: TestContext, options: Partial<NetworkOptions> = {}): Promise<TestNetwork> => {
  const logLines: string[] = []
  const logger = createLogger({
    level: 'info',
    format: 'json',
    colours: false,
    write: (line) => void logLines.push(line),
  })
  const network = await createNetwork({
    vm: await shareMachine(),
    logger,
    folder: undefined,
    seed: 'chaincenter',
    startTime: TEST_START,
    mining: { mode: 'manual' },
    keepStates: 0,
    ...options,
  })
  t.after(() => network.close())
  return { ...network, logLines }
}

/** An account as the newest blocks have it. */
export const findAccountNow = ({ store }: Network, address: Address): ExistingAccount | undefined => {
  const found = findHeadAccount(store, address)?.account
  const account = found && openAccount(found.account)
  return account?.kind === 'account' ? account : undefined
}

export const balanceNow = (network: Network, address: Address): bigint =>
  findAccountNow(network, address)?.balance.grams ?? 0n

export const coins = (grams: bigint): CurrencyCollection => ({ grams, extra: NO_EXTRA_CURRENCIES })

/** A transfer of a wallet that is valid for ten minutes. */
export const transferOf = (
  { controls }: Network,
  { wallet, key }: DevAccount,
  order: Pick<TransferOrder, 'seqno'> & Partial<TransferOrder> & { readonly to: Address; readonly value?: bigint },
): Cell => {
  const { to, value = 1_000_000_000n, ...rest } = order
  const messages = [{ destination: to, value, bounce: false }]
  return signTransfer(wallet, key, { validUntil: controls.getStatus().utime + 600, messages, ...rest })
}
