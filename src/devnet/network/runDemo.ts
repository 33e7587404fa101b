import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import { sha256 } from '../../primitives/sha256.ts'
import { createRandom } from '../demo/createRandom.ts'
import { createTraffic } from '../demo/createTraffic.ts'
import { deployDemo } from '../demo/deployDemo.ts'
import { OrderSender } from '../demo/OrderSender.ts'
import { planDemo } from '../demo/planDemo.ts'
import type { Network } from './createNetwork.ts'
import { createDemoPort } from './demoPort.ts'

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
  const plan = planDemo(network.accounts)
  const sender = new OrderSender(port)
  const traffic = createTraffic({ port, sender, plan, random: createRandom(sha256(network.store.zeroState.rootHash)) })
  let isDeployed = false
  while (!signal.aborted) {
    try {
      if (isDeployed) logger.debug('demonstration', { step: await traffic.step() })
      else await deployDemo(port, sender, plan)
      if (!isDeployed) logger.info('demonstration deployed')
      isDeployed = true
    } catch (error) {
      // What failed is tried again, or something else is: the network may be reverted, stopped or changed under it.
      if (!signal.aborted) logger.warn('demonstration interrupted', { error })
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
