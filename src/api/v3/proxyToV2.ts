import { ProxiedError } from '../core/errors.ts'
import type { JsonObject, JsonValue } from '../core/json/parseJson.ts'
import { NoV2Error } from './errors.ts'
import type { V3Context } from './V3Context.ts'

type Parts = Pick<V3Context, 'v2' | 'call'>

/** Proxies a request to v2. Refusals keep their status. */
export const proxyToV2 = ({ v2, call }: Parts, endpoint: string, args: JsonObject): Promise<JsonValue> => {
  if (v2 === undefined) throw new NoV2Error()
  return v2(endpoint, args, call)
}

/** The same, but every refusal has status 500. */
export const proxyToV2Or500 = async (parts: Parts, endpoint: string, args: JsonObject): Promise<JsonValue> => {
  try {
    return await proxyToV2(parts, endpoint, args)
  } catch (error) {
    throw error instanceof ProxiedError ? new ProxiedError(error.message, 500) : error
  }
}
