import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

const compiled = new WeakMap<TSchema, Validator>()

/** The compiled check of a schema. It is compiled when it is first needed, as that takes milliseconds. */
export const validatorOf = (schema: TSchema): Validator => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validator: Validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}
