import type { ValuesOf } from './Setting.ts'
import { actionsSettings, databaseSettings, indexSettings, metadataSettings } from './settings/indexSettings.ts'
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
import { streamSettings } from './settings/streamSettings.ts'
import { traceSettings } from './settings/traceSettings.ts'
import { webhookSettings } from './settings/webhookSettings.ts'

/** Every setting, once, by its group. Flags, environment names, help, docs/settings.md and the type `Config` derive from these tables. */
export const settings = {
  ...generalSettings,
  ...networkSettings,
  ...liteSettings,
  ...liteserverSettings,
  ...embeddedSettings,
  ...databaseSettings,
  ...metadataSettings,
  ...indexSettings,
  ...actionsSettings,
  ...httpSettings,
  ...operationsSettings,
  ...callSettings,
  ...traceSettings,
  ...limitsSettings,
  ...keysSettings,
  ...streamSettings,
  ...webhookSettings,
  ...outputSettings,
}

export type Config = ValuesOf<typeof settings>
