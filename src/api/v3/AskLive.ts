import type { JsonObject, JsonValue } from '../core/json/JsonValue.ts'

/**
 * Asks the live interface, in this process: the result of one of its endpoints in the neutral dialect. A refusal of it comes as a
 * `PassedOnError`.
 */
export type AskLive = (endpoint: string, args: JsonObject, call: { readonly signal: AbortSignal }) => Promise<JsonValue>
