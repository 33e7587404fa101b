import type { Rate } from '../../primitives/Rate.ts'

/** What came of asking a budget for one request. */
export type Taken = {
  readonly isAllowed: boolean
  /** How many more would be let through now. */
  readonly remaining: number
  /** Until the budget is whole again. */
  readonly resetMs: number
  /** Until there is something in it again; 0 where there was. */
  readonly retryMs: number
}

/** Budgets by their names. They are in this process, or shared with others. */
export interface Counters {
  /** Takes one request from a budget. A promise is never broken: who cannot ask the others counts for himself. */
  take(name: string, rate: Rate): Taken | Promise<Taken>
  close(): Promise<void>
}
