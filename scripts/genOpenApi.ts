// Writes docs/openapi from the interfaces in src/api. With --check it compares instead.

import type { Interface } from '../src/api/core/Interface.ts'
import { describeInterface } from '../src/api/core/openApi.ts'
import { debug } from '../src/api/debug/index.ts'
import { dev } from '../src/api/dev/index.ts'
import { emulateApi } from '../src/api/emulate/index.ts'
import { streaming } from '../src/api/streaming/index.ts'
import { v2 } from '../src/api/v2/index.ts'
import { v3 } from '../src/api/v3/index.ts'
import { webhooks } from '../src/api/webhooks/index.ts'
import { writeGenerated } from './writeGenerated.ts'

const interfaces: { readonly [name: string]: Interface } = {
  debug,
  dev,
  emulate: emulateApi,
  streaming,
  v2,
  v3,
  webhooks,
}

for (const [name, definition] of Object.entries(interfaces)) {
  writeGenerated(`docs/openapi/${name}.json`, `${JSON.stringify(describeInterface(definition), undefined, 2)}\n`)
}
