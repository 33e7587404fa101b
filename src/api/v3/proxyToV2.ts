import { PassedOnError } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json/parseJson.ts'
import { NoLiveInterfaceError } from './errors.ts'
import type { V3Context } from './V3Context.ts'

type Parts = Pick<V3Context, 'live' | 'call'>

/** Passes a question on to the live interface. What it refuses is refused with the same status. */
export const passOn = ({ live, call }: Parts, endpoint: string, args: JsonObject): Promise<JsonValue> => {
  if (live === undefined) throw new NoLiveInterfaceError()
  return live(endpoint, args, call)
}

/** The same; whatever it refuses for is a failure of this server to its caller. */
export const passOnOr500 = async (parts: Parts, endpoint: string, args: JsonObject): Promise<JsonValue> => {
  try {
    return await passOn(parts, endpoint, args)
  } catch (error) {
    throw error instanceof PassedOnError ? new PassedOnError(error.message, 500) : error
  }
}
