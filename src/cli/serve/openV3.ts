import type { Dialect } from '../../api/core/Dialect.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import type { AskLive } from '../../api/v3/AskLive.ts'
import { presentV3 } from '../../api/v3/presentV3.ts'
import type { V3Settings } from '../../api/v3/V3Context.ts'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import { listMigrations } from '../../store/migrate/Migration.ts'
import { noPendingTraces, type PendingTraces } from '../../store/pending/PendingTraces.ts'
import { IndexHeads } from '../../store/reader/IndexHeads.ts'

export type V3Options = {
  readonly database: Pick<Database, 'reader'>
  /** Without one, what is known of bodies without being told. */
  readonly decoder?: BodyDecoder
  /** Nobody looks ahead where it is absent. */
  readonly pending?: PendingTraces
  readonly live: AskLive | undefined
  readonly dialect: Dialect
  readonly settings: V3Settings
  readonly logger: Logger
  /** Holds results against their schemas: for tests. */
  readonly checkResults?: boolean
}

export type OpenedV3 = { readonly mounts: readonly Mount[]; close(): void }

/** The indexed interface over a database, in both spellings. */
export const openV3 = async (options: V3Options): Promise<OpenedV3> => {
  const {
    database,
    decoder = createBodyDecoder(),
    pending = noPendingTraces,
    live,
    dialect,
    settings,
    logger,
    checkResults = false,
  } = options
  const heads = new IndexHeads(() => database.reader().points, logger)
  await heads.look()
  const schemaNumber = (await listMigrations()).length
  const shown = { schemaNumber, findHead: () => heads.find() }
  const definitions = [
    presentV3({ prefix: '/api/v3', dialect, ...shown }),
    presentV3({ prefix: '/ton/api/v3', dialect: 'ton', ...shown }),
  ]
  return {
    mounts: definitions.map((definition) =>
      mount(definition, (call) => ({ ...database.reader(), decoder, pending, live, settings, call }), { checkResults }),
    ),
    close: () => heads.close(),
  }
}
