import type { ValuesOf } from './Setting.ts'
import { actionsSettings } from './settings/actionsSettings.ts'
import { callSettings } from './settings/callSettings.ts'
import { databaseSettings } from './settings/databaseSettings.ts'
import { embeddedSettings } from './settings/embeddedSettings.ts'
import { faceSettings } from './settings/faceSettings.ts'
import { generalSettings } from './settings/generalSettings.ts'
import { httpSettings } from './settings/httpSettings.ts'
import { indexSettings } from './settings/indexSettings.ts'
import { keysSettings } from './settings/keysSettings.ts'
import { limitsSettings } from './settings/limitsSettings.ts'
import { liteSettings } from './settings/liteSettings.ts'
import { metadataSettings } from './settings/metadataSettings.ts'
import { networkSettings } from './settings/networkSettings.ts'
import { operationsSettings } from './settings/operationsSettings.ts'
import { outputSettings } from './settings/outputSettings.ts'

/** Every setting, once, by its group. Flags, environment names, help, docs/settings.md and the type `Config` derive from these tables. */
export const settings = {
  ...generalSettings,
  ...networkSettings,
  ...liteSettings,
  ...faceSettings,
  ...embeddedSettings,
  ...databaseSettings,
  ...metadataSettings,
  ...indexSettings,
  ...actionsSettings,
  ...httpSettings,
  ...operationsSettings,
  ...callSettings,
  ...limitsSettings,
  ...keysSettings,
  ...outputSettings,
}

export type Config = ValuesOf<typeof settings>
