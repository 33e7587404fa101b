import { createTraffic } from '../../../src/devnet/demo/createTraffic.ts'
import { createRandom } from '../../../src/devnet/demo/DemoStep.ts'
import { deployDemo, planDemo } from '../../../src/devnet/demo/deployDemo.ts'
import { type DemoPort, OrderSender } from '../../../src/devnet/demo/OrderSender.ts'
import { createNetwork, type Network } from '../../../src/devnet/network/createNetwork.ts'
import { createDemoPort } from '../../../src/devnet/network/runDemo.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import { silentLogger } from '../databaseServer.ts'
import { shareMachine, TEST_START } from '../testNetwork.ts'
import { TokenTraffic, type TrafficOptions } from './TokenTraffic.ts'

/** Who tidies up in the end: a test, or whoever else. */
type Cleanup = { after(ending: () => unknown): void }

export type TokenNetworkOptions = TrafficOptions & {
  /** How often everybody sends something. */
  readonly rounds: number
}

/** Things that happen in the demonstration in each round. */
const DEMO_STEPS = 4
/** Messages that are still under way at the end would never arrive. */
const LAST_BLOCKS = 8

/**
 * An embedded network of two shards with a history of payments, jettons and collections, and with all that the demonstration has:
 * a name, a multisig and a vesting wallet. The same seed gives the same blocks.
 */
export const makeTokenNetwork = async (
  t: Cleanup,
  { rounds, payers, seed }: TokenNetworkOptions,
  signal: AbortSignal,
): Promise<Network> => {
  const network = await createNetwork({
    vm: await shareMachine(),
    logger: silentLogger,
    folder: undefined,
    seed: `tokens ${seed}`,
    shards: 2,
    startTime: TEST_START,
    mining: { mode: 'manual' },
    keepStates: 0,
  })
  t.after(() => network.close())
  const { controls } = network
  const port: DemoPort = {
    ...createDemoPort(network, signal),
    nextBlock: async () => void (await controls.mine(1)),
  }
  const plan = planDemo(network.accounts)
  const sender = new OrderSender(port)
  await deployDemo(port, sender, plan)
  const demo = createTraffic({ port, sender, plan, random: createRandom(sha256(new Uint8Array([seed & 0xff]))) })
  const traffic = new TokenTraffic(network, { payers, seed })
  await traffic.prepare()
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted()
    for (let step = 0; step < DEMO_STEPS; step++) await demo.step()
    await traffic.round()
  }
  await controls.mine(LAST_BLOCKS)
  return network
}
