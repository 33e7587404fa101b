import type { Logger } from '../observe/Logger.ts'
import type { Database } from '../store/connect/Database.ts'
import { finishTasks, type MetadataTask, type TaskEnd } from '../store/metadata/metadataTasks.ts'
import type { Json } from '../store/schema/columns.ts'
import { type BuildRules, buildMetadata } from './content/buildMetadata.ts'
import type { JsonObject } from './content/parseDocument.ts'
import { MetadataError, MetadataUnavailableError } from './errors.ts'
import type { FetchRules } from './fetch/FetchRules.ts'
import { parseTarget, type Target } from './fetch/parseTarget.ts'

export type TaskWriterOptions = {
  readonly database: Pick<Database, 'transaction'>
  readonly logger: Logger
  readonly refreshMs: number
  readonly onWritten: (end: TaskEnd) => void
}

/** Buffers task results until they are written. */
export class TaskWriter {
  readonly #options: TaskWriterOptions
  #ends: TaskEnd[] = []

  constructor(options: TaskWriterOptions) {
    this.#options = options
  }

  /** Unwritten results. */
  get waiting(): number {
    return this.#ends.length
  }

  add(end: TaskEnd): void {
    this.#ends.push(end)
  }

  /** Keeps the results for the next time if the write fails. */
  async write(): Promise<void> {
    const ends = this.#ends
    if (ends.length === 0) return
    this.#ends = []
    try {
      await this.#writeAll(ends)
    } catch (error) {
      this.#ends = [...ends, ...this.#ends]
      throw error
    }
    for (const end of ends) this.#options.onWritten(end)
  }

  async #writeAll(ends: readonly TaskEnd[]): Promise<void> {
    const { database, logger, refreshMs } = this.#options
    try {
      await database.transaction((client) => finishTasks(client, ends, refreshMs))
    } catch (error) {
      // A value that the database refuses must not block the others.
      if (!isBadValue(error)) throw error
      if (ends.length > 1) {
        for (const end of ends) await this.#writeAll([end])
      } else {
        logger.error('metadata refused by the database', { error })
        await database.transaction((client) => finishTasks(client, ends.map(withoutValues), refreshMs))
      }
    }
  }
}

/** SQLSTATE class 22: data exceptions. */
const isBadValue = (error: unknown): boolean => /^22/.test(String((error as { code?: unknown } | undefined)?.code))

const withoutValues = ({ task, tries }: TaskEnd): TaskEnd => {
  const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: {} }
  return {
    kind: 'found',
    task,
    tries,
    metadata: { ...nothing, valid: false, error: 'The database refused the metadata.' },
  }
}

/** A task with its target: a document to fetch, a refused one, or none if the content is on-chain. */
export type TaskPlan = { readonly task: MetadataTask; readonly content: JsonObject | undefined } & (
  | { readonly kind: 'fetch'; readonly target: Target }
  | { readonly kind: 'refused'; readonly error: MetadataError }
  | { readonly kind: 'onChain' }
)

export const planTask = (task: MetadataTask, rules: FetchRules): TaskPlan => {
  const content = isObject(task.content) ? task.content : undefined
  const uri = content?.['uri']
  if (typeof uri !== 'string' || uri.trim() === '') return { kind: 'onChain', task, content }
  try {
    return { kind: 'fetch', task, content, target: parseTarget(uri, rules) }
  } catch (error) {
    if (error instanceof MetadataError) return { kind: 'refused', task, content, error }
    throw error
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_RETRIES = 5
const FIRST_RETRY_MS = 5000
const LONGEST_RETRY_MS = 300_000

/** The result with a document, or without the need of one. */
export const endWith = ({ task, content }: TaskPlan, document: JsonObject | undefined, rules: BuildRules): TaskEnd => ({
  kind: 'found',
  task,
  tries: 0,
  metadata: buildMetadata(task.type, content, document, rules),
})

export type FailureRules = BuildRules & {
  /** Interval of retries after a permanent failure. */
  readonly refreshMs: number
  readonly random?: () => number
}

/**
 * The result without the document: a retry if that can help. Until then the previous metadata stays, or else the on-chain part is
 * used.
 */
export const endWithout = ({ task, content }: TaskPlan, error: MetadataError, rules: FailureRules): TaskEnd => {
  const tries = task.tries > MAX_RETRIES ? 1 : task.tries + 1
  if (error.retryable && tries <= MAX_RETRIES) {
    const asked = error instanceof MetadataUnavailableError ? (error.retryAfterMs ?? 0) : 0
    const delayMs = Math.max(asked, retryDelayMs(tries, rules.random))
    return { kind: 'later', task, tries, delayMs, error: error.message }
  }
  if (task.hasValid) return { kind: 'later', task, tries, delayMs: rules.refreshMs, error: error.message }
  const known = buildMetadata(task.type, content, undefined, rules)
  return { kind: 'found', task, tries, metadata: { ...known, error: error.message } }
}

/** Exponential backoff with jitter. */
const retryDelayMs = (tries: number, random: () => number = Math.random): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1)) * (1 + 0.1 * random())

/** Deferred: only the due time changes. */
export const endLater = ({ task }: Pick<TaskPlan, 'task'>, delayMs: number): TaskEnd => ({
  kind: 'later',
  task,
  tries: task.tries,
  delayMs,
  error: undefined,
})
