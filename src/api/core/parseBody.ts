import { InvalidJsonError, InvalidRequestError } from './errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/JsonValue.ts'
import { type JsonLimits, parseJson } from './json/parseJson.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON in the bytes of a body. */
export const parseBody = (body: Uint8Array | undefined, limits: JsonLimits): JsonValue => {
  if (body === undefined || body.length === 0) throw new InvalidJsonError('The body is empty; JSON was expected.')
  let text: string
  try {
    text = decoder.decode(body)
  } catch {
    throw new InvalidJsonError('The body is not valid UTF-8.')
  }
  return parseJson(text, limits)
}

/** The arguments in the bytes of a body. */
export const parseBodyArguments = (
  body: Uint8Array | undefined,
  mayBeEmpty: boolean,
  limits: JsonLimits,
): JsonObject => {
  if (mayBeEmpty && (body === undefined || body.length === 0)) return {}
  const value = parseBody(body, limits)
  if (!isJsonObject(value)) throw new InvalidRequestError('The body must be a JSON object with the parameters.')
  return value
}
