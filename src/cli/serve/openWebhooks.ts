import { networkInterfaces } from 'node:os'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import { createEventRenderer } from '../../api/streaming/renderEvent.ts'
import { createStreamPlans, type StreamPlans } from '../../api/streaming/streamLimits.ts'
import { expandActionTypes } from '../../api/v3/supportedActionTypes.ts'
import { webhooks } from '../../api/webhooks/index.ts'
import type { WebhooksContext } from '../../api/webhooks/WebhooksContext.ts'
import type { Config } from '../../config/settings.ts'
import { type BodyDecoder, builtInDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { createResolve } from '../../metadata/fetch/FetchRules.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Metrics } from '../../observe/Metrics.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Database } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import type { EventLog } from '../../streaming/events.ts'
import { matchEvent } from '../../streaming/subscription/matchEvent.ts'
import { parseSubscription } from '../../streaming/subscription/parseSubscription.ts'
import { type CallOutRules, callOutLimits, type Exception, systemResolve } from '../../webhooks/callOut.ts'
import { retryRules } from '../../webhooks/retries.ts'
import { SecretBox } from '../../webhooks/signature.ts'
import { WebhookDispatcher } from '../../webhooks/WebhookDispatcher.ts'
import { type ServiceParts, type WebhookLimits, WebhookService } from '../../webhooks/WebhookService.ts'
import type { CommandContext } from '../Command.ts'
import { isPrivate } from '../operations/operatorAccess.ts'
import { loadKeySecret, type SecretOptions } from '../secrets.ts'
import { dataFolder } from './gatewayOptions.ts'
import type { OpenedLog } from './openStreaming.ts'

export type WebhookSettings = Pick<
  Config,
  | 'webhookLimits'
  | 'webhookSchedule'
  | 'webhookAllow'
  | 'publicUrl'
  | 'allowedHosts'
  | 'host'
  | 'port'
  | 'trustedProxies'
  | 'streamPlans'
>

export type WebhookOptions = {
  readonly settings: WebhookSettings
  readonly network: string
  readonly isEmbedded: boolean
  readonly dialect: Dialect
  readonly testOnly: boolean
  readonly decoder?: BodyDecoder | undefined
  readonly secret: SecretOptions
  readonly database: Promise<Database>
  /** The event log of this process. */
  readonly opened: Promise<OpenedLog>
  readonly metrics: Metrics
  readonly logger: Logger
  readonly shutdown: Pick<Shutdown, 'add' | 'signal'>
}

const OPENING = 'The index is being opened. Try again in a moment.'
const POLL_MS = 1000

export type OpenedWebhooks = {
  readonly mount: Mount
  /** The service listens on this port: it is not called by its own webhooks. */
  notePort(port: number): void
}

/** Webhooks over the index: their API, and sending in this process. */
export const openWebhooks = (options: WebhookOptions): OpenedWebhooks => {
  const { settings, logger, shutdown } = options
  const ports = settings.port === 0 ? [] : [settings.port]
  let context: Omit<WebhooksContext, 'call'> | undefined
  let dispatcher: WebhookDispatcher | undefined
  const onDelivered = measure(options.metrics, () => dispatcher)
  const open = async (): Promise<void> => {
    const parts = await createParts(options, ports)
    if (shutdown.signal.aborted) return
    const { journal } = await options.opened
    context = {
      service: new WebhookService(parts),
      database: parts.database,
      box: parts.box,
      limitsOf: createLimits(settings),
      allowedHosts: settings.allowedHosts,
    }
    const sender = new WebhookDispatcher({
      ...parts,
      journal,
      retries: { ...retryRules, scheduleMs: settings.webhookSchedule },
      logger,
      pollMs: POLL_MS,
      onDelivered,
    })
    dispatcher = sender
    // Registered after the database and the event log, so that it closes before them.
    shutdown.add('webhooks', () => sender.close(), CLOSE_MS)
  }
  open().catch(async (error: unknown) => {
    // A database that cannot be opened is reported by the code that opens it.
    const isOpen = await options.database.then(
      () => true,
      () => false,
    )
    if (isOpen && !shutdown.signal.aborted) logger.error('webhooks not started', { error })
  })
  const toContext = (call: WebhooksContext['call']): WebhooksContext => {
    if (context === undefined) throw new DatabaseUnavailableError(OPENING)
    return { ...context, call }
  }
  return { mount: mount(webhooks, toContext), notePort: (port) => void ports.push(port) }
}

const CLOSE_MS = 10_000

const createParts = async (
  options: WebhookOptions,
  ports: readonly number[],
): Promise<ServiceParts & { readonly database: Database }> => {
  const { settings, network } = options
  const [database, { log }] = await Promise.all([options.database, options.opened])
  return {
    database,
    log,
    network,
    publicUrl: settings.publicUrl?.href.replace(/\/+$/, ''),
    box: new SecretBox(await loadKeySecret(options.secret, database)),
    rules: createRules(options, ports),
    now: Date.now,
    openSubscription: createSubscriptions({ ...options, database, log }),
  }
}

type SubscriptionParts = Pick<WebhookOptions, 'dialect' | 'testOnly' | 'decoder'> & {
  readonly database: Pick<Database, 'reader'>
  readonly log: EventLog
}

/** Subscriptions of webhooks over a log, with their events as JSON. */
export const createSubscriptions = ({
  database,
  log,
  dialect,
  testOnly,
  decoder = builtInDecoder(),
}: SubscriptionParts): ServiceParts['openSubscription'] => {
  const reads = {
    get keyedReads() {
      return database.reader().keyedReads
    },
    get listReads() {
      return database.reader().listReads
    },
  }
  const renderer = createEventRenderer({ decoder, dialect, reads, testOnly, findHead: () => log.head })
  return (json, limits) => {
    const { subscription } = parseSubscription(
      // Receivers need the id of an event, to know it again.
      { ...(json as Record<string, unknown>), extended: true },
      {
        transport: 'webhook',
        maxAddresses: limits?.addresses,
        mayStreamAll: limits?.mayStreamAll ?? true,
        expandActionTypes,
      },
    )
    return {
      wantsSpeculative: subscription.minFinality !== 'finalized',
      render: (event) => {
        const part = matchEvent(subscription, event)
        return part && renderer.render(part, subscription)
      },
    }
  }
}

/** Where a service with these settings may call. Private networks and names of this machine are reached only by exception. */
const createRules = ({ settings, isEmbedded }: WebhookOptions, ports: readonly number[]): CallOutRules => {
  const { host, allowedHosts } = settings
  const usual: readonly Exception[] = isEmbedded && isPrivate(settings) ? ['http', 'loopback', 'literal', 'ports'] : []
  const allow = new Set(settings.webhookAllow ?? usual)
  const addresses = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
  const publicHost = settings.publicUrl?.hostname
  return {
    allow,
    own: {
      names: [host, ...allowedHosts, ...(publicHost === undefined ? [] : [publicHost])].map((name) =>
        name.toLowerCase(),
      ),
      addresses: [...addresses, host],
      ports,
    },
    resolve: allow.has('private') ? systemResolve : createResolve(),
    limits: callOutLimits,
  }
}

const defaultEndpoints: readonly (readonly [plan: string, count: number])[] = [
  ['anonymous', 0],
  ['free', 1],
  ['plus', 5],
  ['advanced', 50],
]

/** Limits by plan. Plans without their own have those of the largest; callers without a plan have none. */
const createLimits = ({ webhookLimits, streamPlans }: WebhookSettings) => {
  const counts = new Map([...defaultEndpoints, ...webhookLimits.map(({ name, count }) => [name, count] as const)])
  const plans: StreamPlans = createStreamPlans(streamPlans)
  return (plan: string | undefined): WebhookLimits => {
    const own = plan === undefined ? undefined : (plans.get(plan) ?? plans.get('advanced'))
    return {
      endpoints: plan === undefined ? undefined : (counts.get(plan) ?? counts.get('advanced')),
      addresses: own?.addresses,
      replaySeconds: own?.replayMs === undefined ? undefined : own.replayMs / 1000,
      mayStreamAll: own?.isForAll ?? true,
    }
  }
}

const DELIVERY_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600, 86_400]

/** Returns what takes the time of a delivery. */
const measure = (metrics: Metrics, find: () => WebhookDispatcher | undefined): ((ageMs: number) => void) => {
  const name = (what: string): string => `chaincenter_webhooks_${what}`
  metrics.reading('counter', name('attempts_total'), 'Attempts to deliver, by outcome.', () =>
    Object.entries(find()?.stats().attempts ?? {}).map(([outcome, value]) => ({ value, labels: { outcome } })),
  )
  const gauges = {
    endpoints: ['Endpoints that this process sends to.', 'endpoints'],
    waiting: ['Deliveries that wait.', 'waiting'],
    dead: ['Deliveries that died.', 'dead'],
    lag_blocks: ['Masterchain blocks between the slowest endpoint and the head.', 'lagBlocks'],
  } as const
  for (const [what, [help, member]] of Object.entries(gauges)) {
    metrics.reading('gauge', name(what), help, () => [{ value: find()?.stats()[member] ?? 0 }])
  }
  metrics.reading('gauge', name('lag_seconds'), 'Age of the oldest delivery that waits.', () => [
    { value: (find()?.stats().lagMs ?? 0) / 1000 },
  ])
  const help = 'Time from storing a delivery to its success, with all attempts.'
  const times = metrics.histogram(name('delivery_seconds'), help, DELIVERY_SECONDS).of({})
  return (ageMs) => times.observe(ageMs / 1000)
}

/** Webhooks of the configured network; `undefined` without an index, or if they are off. */
export const openServiceWebhooks = (
  { config, logger, shutdown, workingDir }: Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>,
  {
    database,
    opened,
    decoder,
    metrics,
  }: {
    readonly database: Database | undefined
    readonly opened: Promise<OpenedLog> | undefined
    readonly decoder: BodyDecoder
    readonly metrics: Metrics
  },
): OpenedWebhooks | undefined => {
  if (!config.webhooks || database === undefined || opened === undefined) return undefined
  return openWebhooks({
    settings: config,
    network: config.network,
    isEmbedded: false,
    dialect: config.dialect,
    testOnly: config.network === 'test',
    decoder,
    secret: { given: config.keysSecret?.reveal(), folder: dataFolder(config, workingDir) },
    database: Promise.resolve(database),
    opened,
    metrics,
    logger,
    shutdown,
  })
}
