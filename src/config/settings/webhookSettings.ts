import { choice, duration, list, planCount, toggle, webUrl } from '../Kind.ts'
import { type Settings, setting } from '../Setting.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const schedule: readonly number[] = [
  ...[5000, MINUTE, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR],
]

export const webhookSettings = {
  webhooks: setting({
    flag: '--webhooks',
    env: 'CHAINCENTER_WEBHOOKS',
    group: 'Webhooks',
    about: 'Serves /api/webhooks/v1 and sends webhooks, where there is an index; --no-webhooks disables both.',
    kind: toggle(),
    default: true,
  }),
  webhookLimits: setting({
    flag: '--webhook-limit',
    env: 'CHAINCENTER_WEBHOOK_LIMITS',
    group: 'Webhooks',
    about:
      'Webhook endpoints of a plan. Default: anonymous=0, free=1, plus=5, advanced=50, others as advanced; repeatable.',
    kind: list(planCount()),
    default: [],
  }),
  webhookSchedule: setting({
    flag: '--webhook-retry',
    env: 'CHAINCENTER_WEBHOOK_RETRIES',
    group: 'Webhooks',
    about:
      'Delay before the next attempt of a delivery that failed, ±20 %; repeatable, one for each attempt after the first.',
    kind: list(duration({ minMs: 100, maxMs: 7 * DAY })),
    default: schedule,
  }),
  webhookAllow: setting({
    flag: '--webhook-allow',
    env: 'CHAINCENTER_WEBHOOK_ALLOW',
    group: 'Webhooks',
    about:
      'For development: allows webhooks to plain HTTP, to this machine (loopback), to private networks, to literal addresses, or to any port; repeatable. On an embedded network that listens on loopback only, all but private are allowed by default.',
    kind: list(choice(['http', 'loopback', 'private', 'literal', 'ports'])),
    default: undefined,
  }),
  publicUrl: setting({
    flag: '--public-url',
    env: 'CHAINCENTER_PUBLIC_URL',
    group: 'Webhooks',
    about: 'URL at which others reach this service, for links in webhooks.',
    kind: webUrl(),
    default: undefined,
  }),
} as const satisfies Settings
