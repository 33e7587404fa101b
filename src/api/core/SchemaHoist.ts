import type { TSchema } from 'typebox'
import { keywordsOf } from './schemaKeywords.ts'

/** A schema as JSON, as an OpenAPI document has it. */
export type PlainSchema = { readonly [keyword: string]: unknown }

/**
 * Takes schemas into an OpenAPI document. One that has an `$id` is written once, among the components, and referred to
 * everywhere else.
 */
export class SchemaHoist {
  readonly components: Record<string, PlainSchema> = {}
  private readonly taken = new Map<string, TSchema>()

  hoist(schema: TSchema): PlainSchema {
    const { $id, $defs, $ref } = keywordsOf(schema)
    // A schema that holds itself: what it refers to has its name for an id.
    for (const each of Object.values($defs ?? {})) this.hoist(each)
    if ($ref !== undefined) return { $ref: `#/components/schemas/${$ref}` }
    if ($id === undefined) return this.copy(schema)
    const known = this.taken.get($id)
    if (known === undefined) {
      this.taken.set($id, schema)
      this.components[$id] = this.copy(schema)
    } else if (JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${$id}.`)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  private copy(schema: TSchema): PlainSchema {
    const { $id: _, ...keywords } = toCurrentDraft(schema as { readonly [keyword: string]: unknown })
    const plain = Object.fromEntries(
      Object.entries(keywords).map(([name, value]) => [name, this.copyKeyword(name, value)]),
    )
    // On the wire a bigint is a number with many digits.
    if (plain['type'] === 'bigint') return { ...plain, type: 'integer' }
    return toEnum(plain) ?? plain
  }

  private copyKeyword(name: string, value: unknown): unknown {
    if (schemaKeywords.has(name)) return isSchema(value) ? this.hoist(value) : value
    if (schemaListKeywords.has(name)) return (value as readonly TSchema[]).map((each) => this.hoist(each))
    if (!schemaTableKeywords.has(name)) return value
    const table = Object.entries(value as { readonly [key: string]: TSchema })
    return Object.fromEntries(table.map(([key, each]) => [key, this.hoist(each)]))
  }
}

const schemaKeywords = new Set(['items', 'additionalProperties', 'not'])
const schemaListKeywords = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])
const schemaTableKeywords = new Set(['properties', 'patternProperties'])

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** A list of places, each with a schema of its own, as the newer draft of JSON schema has it. */
const toCurrentDraft = (schema: PlainSchema): PlainSchema => {
  const { items, additionalItems: _, ...rest } = schema
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: false } : schema
}

/** A choice of texts in the form that readers and generators of code know best. */
const toEnum = ({ anyOf, ...rest }: PlainSchema): PlainSchema | undefined => {
  if (!Array.isArray(anyOf) || !anyOf.every((each) => each.type === 'string' && 'const' in each)) return undefined
  return { type: 'string', enum: anyOf.map((each) => each.const), ...rest }
}
