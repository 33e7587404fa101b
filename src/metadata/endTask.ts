import type { TaskEnd } from '../store/metadata/metadataTasks.ts'
import { type BuildRules, buildMetadata } from './content/buildMetadata.ts'
import type { JsonObject } from './content/parseDocument.ts'
import { type MetadataError, MetadataUnavailableError } from './errors.ts'
import type { TaskPlan } from './planTask.ts'

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
