import type { Call } from '../core/Call.ts'
import type { JsonObject, JsonValue } from '../core/json/JsonValue.ts'

/**
 * Asks the live interface, in this process: the result of one of its endpoints in the neutral dialect. A refusal of it comes as a
 * `PassedOnError`.
 */
export type AskLive = (
  endpoint: string,
  args: JsonObject,
  call: Pick<Call, 'signal' | 'requestId'>,
) => Promise<JsonValue>
