import { createSubscriptions } from '../../src/cli/serve/openWebhooks.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { IndexLog } from '../../src/streaming/log/IndexLog.ts'
import { type RetryRules, retryRules } from '../../src/webhooks/retries.ts'
import { WebhookDispatcher } from '../../src/webhooks/WebhookDispatcher.ts'
import { silentLogger } from './databaseServer.ts'
import { rulesFor, secretBox } from './webhooks.ts'

/** What a process is told at its start. */
export type ChildPlan = {
  readonly databaseUrl: string
  /** Where `rebound.test` leads every other time. */
  readonly privateAddress: string
  readonly totalMs: number
}

// A process that sends webhooks over the index, to be killed.

const plan = JSON.parse(process.argv[2] ?? '{}') as ChildPlan
const retries: RetryRules = {
  ...retryRules,
  scheduleMs: [50, 100, 200, 400, ...Array.from({ length: 1000 }, () => 500)],
  probeMs: 500,
}
const database = await connectDatabase({
  url: plan.databaseUrl,
  logger: silentLogger,
  signal: new AbortController().signal,
})
const log = new IndexLog({ database, logger: silentLogger })
let asked = 0
const rules = rulesFor(undefined, async (host) =>
  host === 'hook.test' || (host === 'rebound.test' && ++asked % 2 === 0) ? ['127.0.0.1'] : [plan.privateAddress],
)
const dispatcher = new WebhookDispatcher({
  database,
  log,
  openSubscription: createSubscriptions({ database, log, dialect: 'chain', testOnly: false }),
  box: secretBox,
  rules: { ...rules, limits: { ...rules.limits, totalMs: plan.totalMs } },
  retries,
  logger: silentLogger,
  now: Date.now,
  pollMs: 100,
  network: 'custom',
  publicUrl: undefined,
  times: { leaseMs: 2000, cleanMs: 500, closeMs: 1000 },
})
process.on('message', () => {
  void dispatcher
    .close()
    .then(() => log.close())
    .then(() => database.close())
    .then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(1))
process.send?.('begun')
