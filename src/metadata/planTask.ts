import type { MetadataTask } from '../store/metadata/metadataTasks.ts'
import type { Json } from '../store/schema/columns.ts'
import type { JsonObject } from './content/parseDocument.ts'
import { MetadataError } from './errors.ts'
import type { FetchRules } from './fetch/FetchRules.ts'
import { parseTarget, type Target } from './fetch/parseTarget.ts'

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
