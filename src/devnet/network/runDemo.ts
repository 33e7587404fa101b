import { setTimeout as pause } from 'node:timers/promises'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { getMethodId } from '../../codec/tlb/VmValue.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { createTraffic, grandTour } from '../demo/createTraffic.ts'
import { createRandom } from '../demo/DemoStep.ts'
import { createDemoAccounts, type DemoPlan, deployDemo, planDemo } from '../demo/deployDemo.ts'
import { DemoError, type DemoPort, OrderSender } from '../demo/OrderSender.ts'
import type { DevAccount } from '../wallets/createDevAccounts.ts'
import type { Network } from './createNetwork.ts'
import { findHeadAccount, viewFromHead } from './headContext.ts'
import { WALLET_NETWORK_ID } from './networkKeys.ts'

export type DemoOptions = {
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Between one thing that happens and the next. */
  readonly pauseMs?: number
}

/** Deploys missing demo contracts, then sends traffic until the signal aborts. */
export const runDemo = async (network: Network, { logger, signal, pauseMs }: DemoOptions): Promise<void> => {
  const port = createDemoPort(network, signal)
  const { seed, plan } = planOf(network.store.zeroState.rootHash)
  const sender = new OrderSender(port)
  const traffic = createTraffic({ port, sender, plan, random: createRandom(seed) }, grandTour)
  let isDeployed = false
  while (!signal.aborted) {
    try {
      if (isDeployed) logger.debug('demo step', { step: await traffic.step() })
      else {
        await fundAccounts(network, port, plan.accounts)
        await deployDemo(port, sender, plan)
      }
      if (!isDeployed) logger.info('demo deployed')
      isDeployed = true
    } catch (error) {
      // Retries: the network may have been reverted, stopped or changed meanwhile.
      if (!signal.aborted)
        logger.warn('demo interrupted', error instanceof CodedError ? { reason: error.message } : { error })
    }
    await pause(pauseMs ?? (traffic.isTouring ? TOUR_PAUSE_MS : PAUSE_MS), undefined, { signal }).catch(() => undefined)
  }
}

/** Who acts in the demonstration of a network depends on its zero state, so that a network that goes on finds what it had. */
const planOf = (zeroState: Uint8Array): { readonly seed: Uint8Array; readonly plan: DemoPlan } => {
  const seed = sha256(zeroState)
  return { seed, plan: planDemo(createDemoAccounts(seed, WALLET_NETWORK_ID)) }
}

/** Names of the accounts and contracts of the demonstration that no token or domain names. */
export const listDemoNames = (zeroState: Uint8Array): readonly (readonly [Address, string])[] => {
  const { plan } = planOf(zeroState)
  return [
    ...plan.accounts.map(({ name, wallet }) => [wallet.address, `${name} (demo)`] as const),
    [plan.exchange.address, 'Demo exchange'],
    [plan.market.address, 'Demo market'],
    [plan.staking.address, 'Demo staking'],
    [plan.multisig.address, 'Demo multisig'],
    [plan.vesting.address, 'Demo vesting'],
  ]
}

const GAS_LIMIT = 1_000_000

/** The network port of the demo. Waits end with the signal. */
export const createDemoPort = (network: Network, signal: AbortSignal): DemoPort => {
  const { controls, store } = network
  return {
    send: (message) => controls.send(message),
    runMethod: (address, method, stack) => runHeadMethod(network, address, method, stack),
    now: () => controls.getStatus().utime,
    nextBlock: () => store.waitForMaster((store.head?.id.seqno ?? 0) + 1, signal),
  }
}

/** Runs a get-method on an account as the newest blocks have it. */
const runHeadMethod = async (
  { store, vm, controls }: Network,
  address: Address,
  method: string,
  stack: VmStack,
): Promise<VmStack | undefined> => {
  const found = findHeadAccount(store, address)?.account
  const account = found && openAccount(found.account)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { code = emptyCell, data = emptyCell } = account.state.init
  const { config, previousBlocks, findLibrary } = viewFromHead(store)
  try {
    const run = await vm.runMethod({
      contract: { address, code, data, balance: account.balance },
      methodId: getMethodId(method),
      stack,
      gasLimit: GAS_LIMIT,
      context: {
        config,
        previousBlocks,
        findLibrary,
        now: controls.getStatus().utime,
        randomSeed: new Uint8Array(32),
      },
      log: 'none',
    })
    return run.exitCode === 0 || run.exitCode === 1 ? run.stack : undefined
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const PAUSE_MS = 3000
/** While everything happens once: all of it is there within two minutes. */
const TOUR_PAUSE_MS = 1000

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
    if (waited === PATIENCE) throw new DemoError(`${listPoor().length} accounts of the demo are not funded yet.`)
    await port.nextBlock()
  }
}

const balanceOf = ({ store }: Network, address: Address): bigint => {
  const found = findHeadAccount(store, address)?.account
  const account = found && openAccount(found.account)
  return account?.kind === 'account' ? account.balance.grams : 0n
}
