import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { type RetryRules, retryRules } from '../../src/webhooks/retries.ts'
import { WebhookDispatcher } from '../../src/webhooks/WebhookDispatcher.ts'
import { silentLogger } from './databaseServer.ts'
import { ArrayLog, rulesFor, secretBox, wholeLog } from './webhooks.ts'

/** What a process is told at its start. */
export type ChildPlan = {
  readonly databaseUrl: string
  /** The log grows by a block at each interval, up to the last: the same in every process. */
  readonly startAt: number
  readonly stepMs: number
  readonly blocks: number
  readonly accounts: number
  /** Where `rebound.test` leads every other time. */
  readonly privateAddress: string
  readonly totalMs: number
}

// A process that sends webhooks, to be killed.

const plan = JSON.parse(process.argv[2] ?? '{}') as ChildPlan
const retries: RetryRules = {
  ...retryRules,
  scheduleMs: [50, 100, 200, 400, ...Array.from({ length: 200 }, () => 500)],
  probeMs: 500,
}
const database = await connectDatabase({
  url: plan.databaseUrl,
  logger: silentLogger,
  signal: new AbortController().signal,
})
const log = new ArrayLog()
const numbers = Array.from({ length: plan.accounts }, (_, k) => k + 1)
let asked = 0
const rules = rulesFor(undefined, async (host) =>
  host === 'hook.test' || (host === 'rebound.test' && ++asked % 2 === 0) ? ['127.0.0.1'] : [plan.privateAddress],
)
const dispatcher = new WebhookDispatcher({
  database,
  log,
  openSubscription: wholeLog,
  box: secretBox,
  rules: { ...rules, limits: { ...rules.limits, totalMs: plan.totalMs } },
  retries,
  logger: silentLogger,
  now: Date.now,
  pollMs: 20,
  network: 'custom',
  publicUrl: undefined,
  times: { leaseMs: 1000, cleanMs: 500, closeMs: 1000 },
})
const timer = setInterval(() => {
  const due = Math.min(plan.blocks, Math.floor((Date.now() - plan.startAt) / plan.stepMs))
  while ((log.head ?? 0) < due) log.add(numbers)
}, plan.stepMs)
process.on('message', () => {
  clearInterval(timer)
  void dispatcher
    .close()
    .then(() => database.close())
    .then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(1))
process.send?.('begun')
