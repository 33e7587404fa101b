import type { ValuesOf } from './Setting.ts'
import {
  actionsSettings,
  coldSettings,
  databaseSettings,
  indexSettings,
  metadataSettings,
} from './settings/indexSettings.ts'
import {
  embeddedSettings,
  generalSettings,
  liteSettings,
  liteserverSettings,
  networkSettings,
} from './settings/networkSettings.ts'
import {
  callSettings,
  httpSettings,
  keysSettings,
  limitsSettings,
  operationsSettings,
  outputSettings,
} from './settings/serviceSettings.ts'
import { severalSettings } from './settings/severalSettings.ts'
import { streamSettings } from './settings/streamSettings.ts'
import { telemetrySettings } from './settings/telemetrySettings.ts'
import { traceSettings } from './settings/traceSettings.ts'
import { webhookSettings } from './settings/webhookSettings.ts'

/** Every setting, once, by its group. Flags, environment names, help, docs/settings.md and the type `Config` derive from these tables. */
export const settings = {
  ...generalSettings,
  ...networkSettings,
  ...severalSettings,
  ...liteSettings,
  ...liteserverSettings,
  ...embeddedSettings,
  ...databaseSettings,
  ...metadataSettings,
  ...indexSettings,
  ...coldSettings,
  ...actionsSettings,
  ...httpSettings,
  ...operationsSettings,
  ...telemetrySettings,
  ...callSettings,
  ...traceSettings,
  ...limitsSettings,
  ...keysSettings,
  ...streamSettings,
  ...webhookSettings,
  ...outputSettings,
}

export type Config = ValuesOf<typeof settings>

/** Settings that a further network (--also) has from the first one, unless its own file sets them. */
export const sharedSettings: ReadonlySet<string> = new Set(
  [httpSettings, operationsSettings, limitsSettings, streamSettings, webhookSettings, outputSettings].flatMap((table) =>
    Object.keys(table),
  ),
)

/** Settings of the whole service, which the file of a further network cannot set. */
export const serviceWideSettings: readonly (keyof Config)[] = [
  'also',
  'host',
  'port',
  'operationsAddress',
  'allowedHosts',
  'keysSecret',
  'selfService',
  'selfServiceKeys',
  'json',
  'logFormat',
]
