import type { Schema, Schemas } from './OpenApi.ts'
import { follow } from './Operation.ts'

/** A type in a few words: `list of text`, `whole number, 1 to 1000`. */
export const describeType = (schema: Schema, schemas: Schemas): string => {
  const whole = follow(schema, schemas)
  const named = schema.$ref?.replace('#/components/schemas/', '')
  if (whole.const !== undefined) return JSON.stringify(whole.const)
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (whole.anyOf !== undefined) return whole.anyOf.map((each) => describeType(each, schemas)).join(' | ')
  if (Array.isArray(whole.type)) {
    return whole.type.map((type) => describeType({ ...whole, type }, schemas)).join(' | ')
  }
  if (whole.type === 'array') {
    const most = whole.maxItems === undefined ? '' : `, up to ${whole.maxItems}`
    return `list of ${whole.items === undefined ? 'anything' : describeType(whole.items, schemas)}${most}`
  }
  if (named !== undefined && whole.type === 'object') return named
  return `${words[String(whole.type)] ?? 'anything'}${whole.type === 'null' ? '' : describeBounds(whole)}`
}

const words: { readonly [type: string]: string } = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true | false',
  object: 'object',
  null: 'null',
}

const describeBounds = ({ minimum, maximum }: Schema): string => {
  if (minimum !== undefined && maximum !== undefined) return ` ${minimum}…${maximum}`
  if (minimum !== undefined) return ` ≥ ${minimum}`
  return maximum === undefined ? '' : ` ≤ ${maximum}`
}

/** The values to choose from, where there are only some. */
export const findChoices = (schema: Schema, schemas: Schemas): readonly string[] | undefined => {
  const whole = follow(schema, schemas)
  if (typesOf(whole).includes('boolean')) return ['true', 'false']
  const values = whole.enum?.filter((value) => value !== null) ?? whole.anyOf?.map((each) => each.const)
  return values?.every((value) => typeof value === 'string') === true ? values : undefined
}

export const isList = (schema: Schema, schemas: Schemas): boolean => typesOf(follow(schema, schemas)).includes('array')

/** What may be null has two. */
const typesOf = ({ type }: Schema): readonly unknown[] => [type].flat()

/** An example of what may be given, as text. */
export const findExample = (schema: Schema, schemas: Schemas): string | undefined => {
  const whole = follow(schema, schemas)
  const own = whole.examples?.[0] ?? (whole.items && follow(whole.items, schemas).examples?.[0])
  return own === undefined ? undefined : formatValue(own)
}

export const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
