import { isJsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../../src/api/core/json/stringifyJson.ts'
import { assertContract } from '../../support/v2Oracle.ts'

/** Methods that only the 2.0 line has, which the description leaves out, and those that answer alike. */
const oldMethods: ReadonlyMap<string, string> = new Map([
  ['sendQuery', 'sendBoc'],
  ['sendQuerySimple', 'sendBoc'],
  ['estimateFeeSimple', 'estimateFee'],
])

/** What the published description has to say against an answer of an endpoint, in the neutral dialect. */
export const contractFaults = (endpoint: string, status: number, body: JsonValue): string[] => {
  // An id is echoed with its type (section 3 of the contract); the description knows the usual ones only.
  const { jsonrpc, id, ...envelope } = isJsonObject(body) ? body : {}
  try {
    if (status === 200) assertContract(`${oldMethods.get(endpoint) ?? endpoint}Response`, envelope)
    else assertContract('ErrorEnvelope', envelope)
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

/** An answer in the ecosystem's dialect in the neutral one; it must not have been neutral to begin with. */
export const toNeutral = (body: JsonValue): JsonValue => {
  const text = stringifyJson(body)
  if (text.includes('"chain.blockIdExt"')) throw new Error(`An answer mixes the dialects: ${text.slice(0, 500)}`)
  return JSON.parse(text.replaceAll('"ton.blockIdExt"', '"chain.blockIdExt"')) as JsonValue
}
