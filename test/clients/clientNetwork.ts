import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningNetwork, type StartOptions, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { parseAddress } from '../../src/primitives/Address.ts'

export type ClientNetwork = RunningNetwork & {
  /** Where clients of the ecosystem call. */
  readonly endpoint: string
  /** What went wrong inside. */
  readonly logLines: readonly string[]
  give(address: string, amount: bigint): Promise<void>
}

/** A network as a developer has it, for the time of a test. */
export const startClientNetwork = async (t: TestContext, options: StartOptions): Promise<ClientNetwork> => {
  const logLines: string[] = []
  const write = (line: string): void => void logLines.push(line)
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write })
  const network = await startNetwork({ ...options, http: {}, logger })
  t.after(() => network.close())
  return {
    ...network,
    endpoint: `${network.url}/ton/api/v2/jsonRPC`,
    logLines,
    give: async (address, amount) => void (await network.controls.faucet(parseAddress(address), amount)),
  }
}

const TRIES = 400
const PAUSE_MS = 50

/** Asks until the answer is the one that is waited for. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T>,
  isIt: (answer: T) => boolean = Boolean,
): Promise<T> => {
  for (let k = 0; k < TRIES; k++) {
    const answer = await ask()
    if (isIt(answer)) return answer
    await pause(PAUSE_MS)
  }
  throw new Error(`It was waited in vain for ${what}.`)
}
