import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeLiteQuery } from '../../../src/codec/tl/liteQuery.ts'
import { decodeTlObject } from '../../../src/codec/tl/tlObject.ts'
import type { ChainStore } from '../../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../../src/observe/Logger.ts'
import { listenStore } from '../../support/listenStore.ts'
import { RudeClient } from '../../support/rudeClient.ts'
import { Random } from '../Random.ts'
import { attacks } from './attacks.ts'
import type { Known } from './hostileRequest.ts'

export type HostileReport = {
  readonly seconds: number
  /** Attacks by name, and what came of them. */
  readonly attacks: ReadonlyMap<string, number>
  readonly outcomes: ReadonlyMap<string, number>
  /** Questions of clients that behave, and the longest that one of them took. */
  readonly served: number
  readonly worstMs: number
  /** What the process held before and after, garbage collected, and the most at any time with garbage. */
  readonly heldBeforeMib: number
  readonly heldAfterMib: number
  readonly peakMib: number
  readonly connectionsLeft: number
  /** Lines that the server logged as errors: bugs. */
  readonly bugs: readonly string[]
}

export type HostileOptions = {
  readonly store: ChainStore
  readonly known: Known
  readonly seconds: number
  readonly seed: number
  readonly attackers?: number
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const heldMib = (): number => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return (heapUsed + Math.max(external, arrayBuffers)) / 2 ** 20
}

const settle = async (): Promise<number> => {
  for (let k = 0; k < 5; k++) {
    await delay(50)
    collectGarbage()
  }
  return heldMib()
}

/** Attacks a server from all sides for some seconds while clients that behave use it. */
export const runHostile = async ({
  store,
  known,
  seconds,
  seed,
  attackers = 6,
}: HostileOptions): Promise<HostileReport> => {
  const bugs: string[] = []
  const logger = createLogger({ level: 'error', format: 'json', colours: false, write: (line) => bugs.push(line) })
  const server = await listenStore(store, { logger })
  const outcomes = new Map<string, number>()
  const counts = new Map<string, number>()
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)
  const end = performance.now() + seconds * 1000
  const isOver = (): boolean => performance.now() >= end
  let peakMib = 0

  const untried = attacks.map(([name, , run]) => [name, run] as const)
  const attack = async (stream: number): Promise<void> => {
    const random = new Random(seed, stream)
    const list = attacks.flatMap(([name, weight, run]) => Array.from({ length: weight }, () => [name, run] as const))
    // Each kind once, whatever time that takes, then at random.
    while (untried.length > 0 || !isOver()) {
      const [name, run] = untried.pop() ?? random.pick(list)
      await run({ server, known, random, note: (outcome) => count(outcomes, outcome) })
      count(counts, name)
      peakMib = Math.max(peakMib, heldMib())
    }
  }

  let served = 0
  let worstMs = 0
  const behave = async (): Promise<void> => {
    const client = await RudeClient.open(server)
    for (let k = 0; !isOver(); k++) {
      const id = known.blocks[k % known.blocks.length]!
      const startedAt = performance.now()
      const answer = await client.ask(encodeLiteQuery({ call: { kind: 'liteServer.getBlockHeader', id, mode: 0 } }))
      worstMs = Math.max(worstMs, performance.now() - startedAt)
      const kind = answer && decodeTlObject(answer).kind
      if (kind !== 'liteServer.blockHeader') throw new Error(`A client that behaves got ${kind ?? 'no answer'}.`)
      served++
      await delay(5)
    }
    client.destroy()
  }

  // One of each goes first, so that what is loaded once does not count as held.
  const warmUp = await RudeClient.open(server)
  for (const id of known.blocks) await warmUp.ask(encodeLiteQuery({ call: { kind: 'liteServer.getBlock', id } }))
  warmUp.destroy()
  const heldBeforeMib = await settle()
  await Promise.all([...Array.from({ length: attackers }, (_, k) => attack(k)), behave(), behave()])
  await delay(300)
  const heldAfterMib = await settle()
  const connectionsLeft = server.connections.size
  await server.close()
  return {
    seconds,
    attacks: counts,
    outcomes,
    served,
    worstMs,
    heldBeforeMib,
    heldAfterMib,
    peakMib,
    connectionsLeft,
    bugs,
  }
}
