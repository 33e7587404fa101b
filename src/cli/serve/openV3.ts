import type { Call, CallTrace } from '../../api/core/Call.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import { presentV3 } from '../../api/v3/index.ts'
import type { AskLive, V3Parts, V3Settings } from '../../api/v3/V3Context.ts'
import { type BodyDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Database, DatabaseSource, IndexHead } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { listMigrations } from '../../store/migrate/migrateDatabase.ts'
import { noPendingTraces, type PendingTraces } from '../../store/reader/pending.ts'
import { type SlowLaneStart, SlowLaneThread } from './slowLane.ts'

export type V3Options = {
  /** Its source is undefined until it is open. */
  readonly database: Pick<Database, 'reader'> & { readonly source?: DatabaseSource | undefined }
  /** Without one, what is known of bodies without being told. */
  readonly decoder?: BodyDecoder
  /** Nobody looks ahead where it is absent. */
  readonly pending?: PendingTraces
  readonly live: AskLive | undefined
  readonly dialect: Dialect
  readonly settings: V3Settings
  /** Of a service that answers long requests on a thread of their own. Without it all are answered on this one. */
  readonly slowLane?: {
    readonly logger: Logger
    readonly shutdown: { add(name: string, close: () => unknown): unknown }
  }
  /** Holds results against their schemas: for tests. */
  readonly checkResults?: boolean
}

export type OpenedV3 = { readonly mounts: readonly Mount[] }

/** The indexed interface over a database, in both spellings. */
export const openV3 = async (options: V3Options): Promise<OpenedV3> => {
  const {
    database,
    decoder = createBodyDecoder(),
    pending = noPendingTraces,
    live,
    dialect,
    settings,
    checkResults = false,
  } = options
  const schemaNumber = (await listMigrations()).length
  await look(database)
  // What a server had when a call was given to it, and so at least what the answer is of.
  const heads = new WeakMap<CallTrace, IndexHead | undefined>()
  const toContext = (call: Call): V3Parts => {
    const server = database.reader()
    heads.set(call.trace, server.findHead())
    return { points: server.points, lists: server.lists, decoder, pending, live, settings, call }
  }
  const findHead = ({ trace }: Call): IndexHead | undefined => heads.get(trace) ?? findAnyHead(database)
  const shown = { schemaNumber, findHead }
  const definitions = [
    presentV3({ prefix: '/api/v3', dialect, ...shown }),
    presentV3({ prefix: '/ton/api/v3', dialect: 'ton', ...shown }),
  ]
  const slowLane = openSlowLane(options, decoder)
  return {
    mounts: definitions.map((definition) => mount(definition, toContext, { checkResults, slowLane })),
  }
}

const openSlowLane = (
  { database, dialect, settings, slowLane }: V3Options,
  { layouts }: BodyDecoder,
): SlowLaneThread | undefined => {
  if (slowLane === undefined) return undefined
  const { logger, shutdown } = slowLane
  const findStart = (): SlowLaneStart | undefined =>
    database.source && { database: database.source, layouts, dialect, settings }
  const lane = new SlowLaneThread(findStart, logger)
  shutdown.add('slow lane', () => lane.close())
  return lane
}

/** So that the first answers know how far the index is. */
const look = async (database: Pick<Database, 'reader'>): Promise<void> => {
  try {
    await database.reader().poll()
  } catch (error) {
    // It is not open yet.
    if (!(error instanceof DatabaseUnavailableError)) throw error
  }
}

/** Of a call that failed before anybody read. */
const findAnyHead = (database: Pick<Database, 'reader'>): IndexHead | undefined => {
  try {
    return database.reader().findHead()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    return undefined
  }
}
