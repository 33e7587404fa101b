import type { TSchema } from 'typebox'
import type { Call } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { stringifyJson } from './json/stringifyJson.ts'
import type { Mount } from './Mount.ts'
import { parseArguments, type RawArguments } from './parseArguments.ts'
import { validatorOf } from './validators.ts'

/** Validate, parse, handle: the one way to an endpoint, which every transport takes. */
export const callEndpoint = async (
  { definition, context, checkResults }: Mount,
  endpoint: Endpoint,
  call: Call,
  raw: RawArguments,
): Promise<unknown> => {
  const params = parseArguments(endpoint.params, raw, definition.ignoredMembers)
  const result = await endpoint.handle(context(call), params)
  if (checkResults) assertFits(endpoint.name, endpoint.result, result)
  return result
}

/** A schema lets undeclared members pass; here they are failures as well. */
const assertFits = (name: string, schema: TSchema, result: unknown): void => {
  const validator = validatorOf(schema)
  if (!validator.Check(result)) {
    const [first] = validator.Errors(result)
    throw new Error(`The result of ${name} is not what its schema says: ${first?.message} at ${first?.instancePath}`)
  }
  const cleaned = stringifyJson(validator.Clean(structuredClone(result)))
  if (cleaned !== stringifyJson(result)) throw new Error(`The result of ${name} has members that its schema has not.`)
}
