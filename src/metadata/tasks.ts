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

/** Keeps how tasks ended until it is written. */
export class TaskWriter {
  readonly #options: TaskWriterOptions
  #ends: TaskEnd[] = []

  constructor(options: TaskWriterOptions) {
    this.#options = options
  }

  /** How many are not written yet. */
  get waiting(): number {
    return this.#ends.length
  }

  add(end: TaskEnd): void {
    this.#ends.push(end)
  }

  /** What cannot be written now is kept for the next time. */
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
      // A value that the database does not take after all must not stand in the way of the others.
      if (!isBadValue(error)) throw error
      if (ends.length > 1) {
        for (const end of ends) await this.#writeAll([end])
      } else {
        logger.error('metadata not taken by the database', { error })
        await database.transaction((client) => finishTasks(client, ends.map(withoutValues), refreshMs))
      }
    }
  }
}

/** Class 22 of the server's errors: data exceptions. */
const isBadValue = (error: unknown): boolean => /^22/.test(String((error as { code?: unknown } | undefined)?.code))

const withoutValues = ({ task, tries }: TaskEnd): TaskEnd => {
  const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: {} }
  return { kind: 'found', task, tries, metadata: { ...nothing, valid: false, error: 'It cannot be kept.' } }
}

/** A task and where it leads: to a document, to one that we do not ask for, or to none, when the chain says it all. */
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

/** The document came, or none was needed. */
export const endWith = ({ task, content }: TaskPlan, document: JsonObject | undefined, rules: BuildRules): TaskEnd => ({
  kind: 'found',
  task,
  tries: 0,
  metadata: buildMetadata(task.type, content, document, rules),
})

export type FailureRules = BuildRules & {
  /** After how long it is looked for again once it has failed for good. */
  readonly refreshMs: number
  readonly random?: () => number
}

/**
 * The document did not come. It is tried again if that can help; then what was known before stays, or else what the chain says
 * has to do.
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

/** Doubled each time. Chance spreads those that failed together. */
const retryDelayMs = (tries: number, random: () => number = Math.random): number =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1)) * (1 + 0.1 * random())

/** It is not its turn: nothing changes but the time. */
export const endLater = ({ task }: Pick<TaskPlan, 'task'>, delayMs: number): TaskEnd => ({
  kind: 'later',
  task,
  tries: task.tries,
  delayMs,
  error: undefined,
})
