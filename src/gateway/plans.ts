import type { Rate } from '../primitives/Rate.ts'

/** Rate limits of a kind of API key. */
export type Plan = {
  readonly rate: Rate
  /** Name of the reserved node pool. */
  readonly pool?: string | undefined
}

export type Plans = ReadonlyMap<string, Plan>

/** The plan of keys with a rate of their own. */
export const CUSTOM_PLAN = 'custom'
export const FREE_PLAN = 'free'

const burstOfASecond = (perSecond: number): Plan => ({ rate: { perSecond, burst: perSecond } })

/** Default plans. The burst equals the requests per second. */
const knownPlans: readonly (readonly [name: string, plan: Plan])[] = [
  [FREE_PLAN, burstOfASecond(10)],
  ['plus', burstOfASecond(25)],
  ['advanced', burstOfASecond(100)],
  // For a key without a rate.
  [CUSTOM_PLAN, burstOfASecond(10)],
]

/** The plan of callers without a key. */
export const ANONYMOUS = 'anonymous'

const perMinute = (runs: number): Rate => ({ perSecond: runs / 60, burst: runs })

const emulationRates: ReadonlyMap<string, Rate> = new Map([
  [ANONYMOUS, perMinute(10)],
  [FREE_PLAN, perMinute(60)],
  ['plus', perMinute(300)],
])

/** Emulations per plan; other plans have the largest rate. */
export const emulationRate = (plan: string): Rate => emulationRates.get(plan) ?? perMinute(3000)

/** Default plans, overridden and extended by the settings. */
export const createPlans = (defined: readonly (Plan & { readonly name: string })[] = []): Plans =>
  new Map([...knownPlans, ...defined.map(({ name, rate, pool }) => [name, { rate, pool }] as const)])
