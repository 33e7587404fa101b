import type { TSchema } from 'typebox'
import { latin1Slice } from '../../primitives/bytes.ts'
import { mayShareResponse } from './AccessControl.ts'
import type { CacheKey, Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { encodeJson, type Json, readTexts, stringifyJson, textOf } from './json/stringifyJson.ts'
import type { Mount } from './Mount.ts'
import { parseArguments, pickArguments, type RawArguments, validatorOf } from './parseArguments.ts'

/**
 * Validates, parses and handles a call: the only way to an endpoint, for every transport. Returns the JSON of the result, which may
 * come from the cache.
 */
export const callEndpoint = async (mount: Mount, endpoint: Endpoint, call: Call, raw: RawArguments): Promise<Json> => {
  const { definition, responseCache } = mount
  const params = parseArguments(endpoint.params, raw, definition.ignoredMembers)
  const make = async (own: Call): Promise<Json> => {
    const result = await endpoint.handle(mount.context(own), params)
    if (mount.checkResults) assertFits(endpoint.name, endpoint.result, result)
    return encodeJson(result)
  }
  const applyDialect = dialectOf(definition)
  const lifetime = endpoint.lifetime?.(params)
  if (responseCache === undefined || lifetime === undefined || !mayShareResponse(call.pool, lifetime))
    return applyDialect(await make(call))
  const text = `${endpoint.name} ${stringifyJson(pickArguments(endpoint.params, raw))}`
  const key: CacheKey = { text, lifetime }
  call.trace.cacheKey = definition.applyDialect === undefined ? key : { text: `${definition.prefix} ${text}`, lifetime }
  const makeText = async (own: Call): Promise<string> => textOf(await make(own))
  if (definition.applyDialect === undefined) return responseCache.get(key, call, makeText)
  // Two interfaces that differ only in their dialect share the neutral response.
  return responseCache.get(call.trace.cacheKey, call, async (own) =>
    textOf(applyDialect(await responseCache.get(key, own, makeText))),
  )
}

/** Dialects differ in ASCII characters only, so of UTF-8 each byte is taken for a character. */
const dialectOf =
  ({ applyDialect }: Mount['definition']) =>
  (json: Json): Json => {
    if (applyDialect === undefined) return json
    if (typeof json === 'string') return applyDialect(json)
    return Buffer.from(applyDialect(latin1Slice.call(json, 0, json.length)), 'latin1')
  }

/** Undeclared members fail, too, although JSON schema allows them. */
const assertFits = (name: string, schema: TSchema, result: unknown): void => {
  const value = readTexts(result)
  if (closedValidatorOf(schema).Check(value)) return
  const validator = validatorOf(schema)
  if (!validator.Check(value)) {
    const [first] = validator.Errors(value)
    throw new Error(`The result of ${name} does not match its schema: ${first?.message} at ${first?.instancePath}`)
  }
  const cleaned = stringifyJson(validator.Clean(structuredClone(value)))
  if (cleaned !== stringifyJson(value))
    throw new Error(`The result of ${name} has members that its schema does not declare.`)
}

const closedSchemas = new WeakMap<TSchema, TSchema>()

/** The validator of a schema without undeclared members; ten times faster than to clean a value and compare. */
const closedValidatorOf = (schema: TSchema): ReturnType<typeof validatorOf> => {
  let closed = closedSchemas.get(schema)
  if (closed === undefined) {
    closed = closeSchema(schema) as TSchema
    closedSchemas.set(schema, closed)
  }
  return validatorOf(closed)
}

/** Keywords whose value is a schema, or a list of schemas; and those whose members are schemas. */
const SCHEMAS = new Set(['items', 'anyOf', 'oneOf', 'not', 'additionalProperties'])
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs'])

/** A copy in which every object that does not say otherwise allows only its declared members. */
const closeSchema = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closeSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  // The parts of an intersection each declare some of the members.
  if ('allOf' in schema) throw new TypeError('Intersections cannot be closed.')
  const members = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (SCHEMAS.has(key)) return [key, closeSchema(value)]
    if (!SCHEMA_MAPS.has(key)) return [key, value]
    return [key, Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, closeSchema(each)]))]
  })
  const isOpen = 'properties' in schema && !('additionalProperties' in schema) && !('patternProperties' in schema)
  return Object.fromEntries(isOpen ? [...members, ['additionalProperties', false]] : members)
}
