import type { TSchema } from 'typebox'
import { mayShareAnswer } from './AccessControl.ts'
import type { Call, Question } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { readTexts, stringifyJson } from './json/stringifyJson.ts'
import type { Mount } from './Mount.ts'
import { parseArguments, pickArguments, type RawArguments, validatorOf } from './parseArguments.ts'

/**
 * Validate, parse, handle: the one way to an endpoint, which every transport takes. What it comes to is the JSON of the
 * result, which may have been made before.
 */
export const callEndpoint = async (
  mount: Mount,
  endpoint: Endpoint,
  call: Call,
  raw: RawArguments,
): Promise<string> => {
  const { definition, answers } = mount
  const params = parseArguments(endpoint.params, raw, definition.ignoredMembers)
  const make = async (own: Call): Promise<string> => {
    const result = await endpoint.handle(mount.context(own), params)
    if (mount.checkResults) assertFits(endpoint.name, endpoint.result, result)
    return stringifyJson(result)
  }
  const { respell = same } = definition
  const lifetime = endpoint.lifetime?.(params)
  if (answers === undefined || lifetime === undefined || !mayShareAnswer(call.pool, lifetime))
    return respell(await make(call))
  const text = `${endpoint.name} ${stringifyJson(pickArguments(endpoint.params, raw))}`
  const question: Question = { text, lifetime }
  call.trace.question = definition.respell === undefined ? question : { text: `${definition.prefix} ${text}`, lifetime }
  if (definition.respell === undefined) return answers.get(question, call, make)
  // Two interfaces may differ in nothing but their spelling: then they share what it is that they spell.
  return answers.get(call.trace.question, call, async (own) => respell(await answers.get(question, own, make)))
}

const same = (json: string): string => json

/** A schema lets undeclared members pass; here they are failures as well. */
const assertFits = (name: string, schema: TSchema, result: unknown): void => {
  const validator = validatorOf(schema)
  const value = readTexts(result)
  if (!validator.Check(value)) {
    const [first] = validator.Errors(value)
    throw new Error(`The result of ${name} is not what its schema says: ${first?.message} at ${first?.instancePath}`)
  }
  const cleaned = stringifyJson(validator.Clean(structuredClone(value)))
  if (cleaned !== stringifyJson(value)) throw new Error(`The result of ${name} has members that its schema has not.`)
}
