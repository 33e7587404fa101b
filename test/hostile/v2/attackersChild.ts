// Those who attack, in a process of their own: what they cost themselves is not to be felt by those who behave.
import { Random } from '../Random.ts'
import { attacks, dripSlowly, openAndDrop, type Target } from './attacks.ts'
import type { PreyNetwork } from './preyNetworkChild.ts'

export type Assault = {
  readonly url: string
  readonly prey: PreyNetwork
  readonly seconds: number
  readonly seed: number
  readonly attackers: number
  /** Connections to be opened and dropped in all. */
  readonly drops: number
}

export type AssaultReport = {
  /** Attacks by name, what came of them, and what should not have. */
  readonly attacks: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  readonly surprises: readonly string[]
}

const SLOW_CONNECTIONS = 40

const assault = JSON.parse(process.argv[2] ?? '') as Assault
const end = performance.now() + assault.seconds * 1000
const isOver = (): boolean => performance.now() >= end
const counts: Record<string, number> = {}
const outcomes: Record<string, number> = {}
const surprises: string[] = []

const count = (map: Record<string, number>, key: string): void => {
  map[key] = (map[key] ?? 0) + 1
}

const attempt = async (name: string, attack: (target: Target) => Promise<void>, random: Random): Promise<void> => {
  count(counts, name)
  try {
    await attack({ url: assault.url, prey: assault.prey, random, note: (outcome) => count(outcomes, outcome) })
  } catch (error) {
    surprises.push(`${name}: ${describe(error)}`)
  }
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const untried = [...attacks]
const choices = attacks.flatMap((attack) => Array.from({ length: attack[1] }, () => attack))
const mix = async (stream: number): Promise<void> => {
  const random = new Random(assault.seed, stream)
  // Each kind once, whatever time that takes, then at random.
  while (untried.length > 0 || !isOver()) {
    const [name, , attack] = untried.pop() ?? random.pick(choices)
    await attempt(name, attack, random)
  }
}

const drip = async (stream: number): Promise<void> => {
  const random = new Random(assault.seed, stream)
  while (!isOver()) await attempt('slow connections', dripSlowly, random)
}

const drop = async (): Promise<void> => {
  const random = new Random(assault.seed, 5000)
  for (let dropped = 0; dropped < assault.drops; dropped += 100) await attempt('drops', openAndDrop, random)
}

await Promise.all([
  ...Array.from({ length: assault.attackers }, (_, k) => mix(k)),
  ...Array.from({ length: SLOW_CONNECTIONS }, (_, k) => drip(1000 + k)),
  drop(),
])
const report: AssaultReport = { attacks: counts, outcomes, surprises }
process.send?.(report)
process.disconnect()
