import type { Rate } from '../primitives/Rate.ts'

/** What the keys of a kind may ask. */
export type Plan = {
  readonly rate: Rate
  /** Nodes of their own, by the name of the pool. */
  readonly pool?: string | undefined
}

export type Plans = ReadonlyMap<string, Plan>

/** The plan of keys whose rate stands with the key itself. */
export const CUSTOM_PLAN = 'custom'
export const FREE_PLAN = 'free'

const burstOfASecond = (perSecond: number): Plan => ({ rate: { perSecond, burst: perSecond } })

/** The plans there are, unless settings say otherwise. What comes in a second may also come at once. */
const knownPlans: readonly (readonly [name: string, plan: Plan])[] = [
  [FREE_PLAN, burstOfASecond(10)],
  ['plus', burstOfASecond(25)],
  ['advanced', burstOfASecond(100)],
  // Where a key names no rate.
  [CUSTOM_PLAN, burstOfASecond(10)],
]

/** Those plans with others in their place, or besides. */
export const createPlans = (defined: readonly (Plan & { readonly name: string })[] = []): Plans =>
  new Map([...knownPlans, ...defined.map(({ name, rate, pool }) => [name, { rate, pool }] as const)])
