import type { TSchema } from 'typebox'

/** The keywords of a JSON schema that we look at. TypeBox keeps them out of its types, though every schema has them. */
export type SchemaKeywords = {
  readonly type?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: TSchema }
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
}

export const keywordsOf = (schema: TSchema): SchemaKeywords => schema
