import { setTimeout as pause } from 'node:timers/promises'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { createDemoAccounts } from '../demo/createDemoAccounts.ts'
import { createRandom } from '../demo/createRandom.ts'
import { createTraffic } from '../demo/createTraffic.ts'
import type { DemoPort } from '../demo/DemoPort.ts'
import { deployDemo } from '../demo/deployDemo.ts'
import { DemoError } from '../demo/errors.ts'
import { OrderSender } from '../demo/OrderSender.ts'
import { planDemo } from '../demo/planDemo.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import type { Network } from './createNetwork.ts'
import { createDemoPort } from './demoPort.ts'
import { WALLET_NETWORK_ID } from './findAccounts.ts'
import { findHeadAccount } from './headContext.ts'

export type DemoOptions = {
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Between one thing that happens and the next. */
  readonly pauseMs?: number
}

const PAUSE_MS = 3000

/** Deploys the contracts of the demonstration where they are missing, then lets things happen until the signal says stop. */
export const runDemo = async (network: Network, { logger, signal, pauseMs = PAUSE_MS }: DemoOptions): Promise<void> => {
  const port = createDemoPort(network, signal)
  const seed = sha256(network.store.zeroState.rootHash)
  const plan = planDemo(createDemoAccounts(seed, WALLET_NETWORK_ID))
  const sender = new OrderSender(port)
  const traffic = createTraffic({ port, sender, plan, random: createRandom(seed) })
  let isDeployed = false
  while (!signal.aborted) {
    try {
      if (isDeployed) logger.debug('demonstration', { step: await traffic.step() })
      else {
        await fundAccounts(network, port, plan.accounts)
        await deployDemo(port, sender, plan)
      }
      if (!isDeployed) logger.info('demonstration deployed')
      isDeployed = true
    } catch (error) {
      // What failed is tried again, or something else is: the network may be reverted, stopped or changed under it.
      if (!signal.aborted)
        logger.warn('demonstration interrupted', error instanceof CodedError ? { reason: error.message } : { error })
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

const GRAM = 1_000_000_000n
/** With less than this an account gets money before the contracts are deployed. */
const LEAST = 1_000n * GRAM
const ALLOWANCE = 100_000n * GRAM
/** Blocks within which the money must have come. */
const PATIENCE = 30

/** Gives the accounts money from the faucet, and waits until they have it. */
const fundAccounts = async (network: Network, port: DemoPort, accounts: readonly DevAccount[]): Promise<void> => {
  const listPoor = (): DevAccount[] => accounts.filter(({ wallet }) => balanceOf(network, wallet.address) < LEAST)
  const poor = listPoor()
  await Promise.all(poor.map(({ wallet }) => network.controls.faucet(wallet.address, ALLOWANCE)))
  for (let waited = 0; listPoor().length > 0; waited++) {
    if (waited === PATIENCE) throw new DemoError(`${listPoor().length} accounts of the demonstration got no money yet.`)
    await port.nextBlock()
  }
}

const balanceOf = ({ store }: Network, address: Address): bigint => {
  const found = findHeadAccount(store, address)?.account
  const account = found && openAccount(found.account)
  return account?.kind === 'account' ? account.balance.grams : 0n
}
