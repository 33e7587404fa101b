import { type Equal, expectType } from '../../test/support/expectType.ts'
import type { LiteServerAddress } from '../primitives/LiteServerAddress.ts'
import { integer, list, type Secret, secret, text } from './Kind.ts'
import { setting, type ValuesOf } from './Setting.ts'
import type { Config } from './settings.ts'

expectType<Equal<Config['logLevel'], 'debug' | 'info' | 'warn' | 'error' | 'silent'>>()
expectType<Equal<Config['json'], boolean>>()
expectType<Equal<Config['dataDir'], string>>()
expectType<Equal<Config['config'], string | undefined>>()
expectType<Equal<Config['liteservers'], readonly LiteServerAddress[]>>()
expectType<Equal<Config['proofs'], 'full' | 'merkle' | 'off'>>()
expectType<Equal<Config['wait'], number | undefined>>()

const base = { group: 'General', about: '', flag: '--x' } as const
const table = {
  port: setting({ ...base, kind: integer({ min: 1, max: 65_535 }), default: 8081 }),
  servers: setting({ ...base, kind: list(text('url', 'an address')), default: [] }),
  password: setting({ ...base, kind: secret('password', 'a password'), default: undefined }),
}
expectType<Equal<ValuesOf<typeof table>['port'], number>>()
expectType<Equal<ValuesOf<typeof table>['servers'], readonly string[]>>()
expectType<Equal<ValuesOf<typeof table>['password'], Secret | undefined>>()

// @ts-expect-error a default has to be of the setting's kind
setting({ ...base, kind: integer({ min: 1, max: 9 }), default: 'eight' })

declare const config: Config
// @ts-expect-error a configuration is read once and never changed
config.json = true
