import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Call, CallTrace } from '../../api/core/Call.ts'
import type { Dialect } from '../../api/core/Interface.ts'
import { type Mount, mount } from '../../api/core/Mount.ts'
import { presentV3 } from '../../api/v3/index.ts'
import { TransactionTexts } from '../../api/v3/TransactionTexts.ts'
import type { V2Proxy, V3Parts, V3Settings } from '../../api/v3/V3Context.ts'
import { type BodyDecoder, builtInDecoder, createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { LayoutError } from '../../contracts/layouts/definitions.ts'
import { parseLayoutFile } from '../../contracts/layouts/parseLayoutFile.ts'
import type { Logger } from '../../observe/Logger.ts'
import { findTelemetry } from '../../observe/Tracer.ts'
import type { Database, DatabaseSource, IndexHead, WatchedServer } from '../../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { listMigrations } from '../../store/migrate/migrateDatabase.ts'
import { noPendingTraces, type PendingTraces } from '../../store/reader/pending.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { indexWorkOf } from './openV2.ts'
import { SlowLaneProcess, type SlowLaneStart } from './slowLane.ts'

export type V3Options = {
  /** `source` is undefined until the database is open. */
  readonly database: Pick<Database, 'reader' | 'readerAt'> & { readonly source?: DatabaseSource | undefined }
  /** Decoder of message bodies; default: the built-in layouts. */
  readonly decoder?: BodyDecoder
  /** Without it, pending emulation is disabled. */
  readonly pending?: PendingTraces
  readonly live: V2Proxy | undefined
  readonly dialect: Dialect
  readonly settings: V3Settings
  /** Memory for the text of transactions that are asked for again; 0: every one is read and written anew. */
  readonly textCacheBytes?: number
  /** Answers long requests in a process of its own. Without it all are answered in this one. */
  readonly slowLane?: {
    readonly logger: Logger
    readonly shutdown: { add(name: string, close: () => unknown): unknown }
    /** The process ends after this time without requests. */
    readonly idleMs?: number
    /** Limit of its heap. */
    readonly heapMib?: number
  }
  /** Validates results against their schemas: for tests. */
  readonly checkResults?: boolean
}

/** Some hundred transactions: the newest, and those of accounts that are asked for most. */
const SMALL_TEXT_CACHE_BYTES = 2 * 1024 * 1024

export type OpenedV3 = { readonly mounts: readonly Mount[] }

/** The v3 API over a database, in both dialects. */
export const openV3 = async (options: V3Options): Promise<OpenedV3> => {
  const {
    database,
    decoder = builtInDecoder(),
    pending = noPendingTraces,
    live,
    dialect,
    settings,
    textCacheBytes = SMALL_TEXT_CACHE_BYTES,
    checkResults = false,
  } = options
  const transactionTexts = textCacheBytes > 0 ? new TransactionTexts(textCacheBytes) : undefined
  const schemaNumber = (await listMigrations()).length
  await look(database)
  // What a server had when a call was given to it, and so at least what the answer is of.
  const heads = new WeakMap<CallTrace, IndexHead | undefined>()
  const readFrom = (server: WatchedServer, call: Call): V3Parts => {
    heads.set(call.trace, server.findHead())
    const { keyedReads, listReads } = server
    return {
      keyedReads,
      listReads,
      server,
      readAgain: toContext,
      moveTo,
      decoder,
      transactionTexts,
      pending,
      v2: live,
      settings,
      call,
    }
  }
  const moveTo: V3Parts['moveTo'] = async (call, seqno, wait) => readFrom(await database.readerAt(seqno, wait), call)
  const toContext = (call: Call): V3Parts => readFrom(database.reader(), call)
  const findHead = ({ trace }: Call): IndexHead | undefined => heads.get(trace) ?? findAnyHead(database)
  const shown = { schemaNumber, findHead }
  const definitions = [
    presentV3({ prefix: '/api/v3', dialect, ...shown }),
    presentV3({ prefix: '/ton/api/v3', dialect: 'ton', ...shown }),
  ]
  const slowLane = openSlowLane(options, decoder)
  return {
    mounts: definitions.map((definition) =>
      mount(definition, toContext, { checkResults, slowLane, workOf: indexWorkOf }),
    ),
  }
}

const openSlowLane = (
  { database, dialect, settings, slowLane }: V3Options,
  { layouts }: BodyDecoder,
): SlowLaneProcess | undefined => {
  if (slowLane === undefined) return undefined
  const { shutdown, ...options } = slowLane
  const findStart = (): SlowLaneStart | undefined =>
    database.source && {
      database: database.source,
      layouts,
      dialect,
      settings,
      telemetry: findTelemetry()?.source,
    }
  const lane = new SlowLaneProcess({ ...options, findStart })
  shutdown.add('slow lane', () => lane.close())
  return lane
}

/** Reads the index head before the first request. */
const look = async (database: Pick<Database, 'reader'>): Promise<void> => {
  try {
    await database.reader().poll()
  } catch (error) {
    // The database is not open yet.
    if (!(error instanceof DatabaseUnavailableError)) throw error
  }
}

/** For a call that failed before any read. */
const findAnyHead = (database: Pick<Database, 'reader'>): IndexHead | undefined => {
  try {
    return database.reader().findHead()
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error
    return undefined
  }
}

/** Decoder of message bodies with the configured layouts. */
export const openDecoder = ({ config, workingDir }: Pick<CommandContext, 'config' | 'workingDir'>): BodyDecoder => {
  if (config.layouts === undefined) return builtInDecoder()
  const path = resolve(workingDir, config.layouts)
  try {
    return createBodyDecoder(parseLayoutFile(readFileSync(path, 'utf8')))
  } catch (error) {
    if (!(error instanceof LayoutError) && !isFileError(error)) throw error
    throw new UsageError(
      `Invalid message layouts in ${path}: ${error.message}`,
      'See docs/message-layouts.md for the format.',
    )
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error
