import type { TSchema } from 'typebox'

/** The keywords of JSON schema that types are made of. */
type Schema = {
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: Schema }
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema | readonly Schema[]
  readonly properties?: { readonly [name: string]: Schema }
  readonly required?: readonly string[]
  readonly patternProperties?: { readonly [pattern: string]: Schema }
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

export const quoteName = (name: string): string => (isIdentifier(name) ? name : `'${name}'`)

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

/** `wallet.v3.accountState` → `WalletV3AccountState`. */
const typeNameOf = (id: string): string =>
  id.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const documented = (description: string | undefined, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`

/** Writes schemas as plain types: one with an id once, under its name. */
export class SchemaTypes {
  /** Declarations by name. */
  readonly declared = new Map<string, string>()
  /** The whole text of a type instead of the one that its schema has. */
  readonly #written: ReadonlyMap<string, (text: string) => string>

  constructor(written: ReadonlyMap<string, (text: string) => string> = new Map()) {
    this.#written = written
  }

  /** The text of a type, and the declarations that it needs. */
  typeOf(given: TSchema | Schema, indent = ''): string {
    const schema = given as Schema
    for (const [name, each] of Object.entries(schema.$defs ?? {})) this.#declare(name, each)
    if (schema.$ref !== undefined) return typeNameOf(schema.$ref)
    if (schema.$id === undefined) return this.#plainTypeOf(schema, indent)
    this.#declare(schema.$id, schema)
    return typeNameOf(schema.$id)
  }

  #declare(id: string, schema: Schema): void {
    const name = typeNameOf(id)
    if (this.declared.has(name)) return
    // A type may hold itself.
    this.declared.set(name, '')
    const text = this.#plainTypeOf(schema, '')
    const declaration = `${documented(schema.description, '')}export type ${name} = ${text}\n`
    this.declared.set(name, this.#written.get(name)?.(text) ?? declaration)
  }

  #plainTypeOf(schema: Schema, indent: string): string {
    if ('const' in schema) return literal(schema.const)
    if (schema.enum !== undefined) return schema.enum.map((each) => literal(each)).join(' | ')
    const union = schema.anyOf ?? schema.oneOf
    if (union !== undefined) return [...new Set(union.map((each) => this.typeOf(each, indent)))].join(' | ')
    if (schema.allOf !== undefined) return schema.allOf.map((each) => `(${this.typeOf(each, indent)})`).join(' & ')
    if (Array.isArray(schema.type)) {
      return schema.type.map((type: string) => this.#plainTypeOf({ ...schema, type }, indent)).join(' | ')
    }
    switch (schema.type) {
      case 'bigint':
        // The client parses integers that fit as numbers.
        return 'number | bigint'
      case 'integer':
      case 'number':
        return 'number'
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type
      case 'array':
        return this.#arrayOf(schema, indent)
      case 'object':
        return this.#objectOf(schema, indent)
      default:
        return 'unknown'
    }
  }

  #arrayOf({ items }: Schema, indent: string): string {
    if (Array.isArray(items)) return `[${items.map((each: Schema) => this.typeOf(each, indent)).join(', ')}]`
    const item = items === undefined ? 'unknown' : this.typeOf(items as Schema, indent)
    return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }

  #objectOf(
    { properties = {}, required = [], patternProperties, additionalProperties }: Schema,
    indent: string,
  ): string {
    const rest = Object.values(patternProperties ?? {})[0] ?? additionalProperties
    const members = Object.entries(properties).map(
      ([name, schema]) =>
        `${documented(schema.description, `${indent}  `)}${indent}  ${quoteName(name)}${required.includes(name) ? '' : '?'}: ${this.typeOf(schema, `${indent}  `)}`,
    )
    if (members.length > 0) return `{\n${members.join('\n')}\n${indent}}`
    return `{ [name: string]: ${typeof rest === 'object' ? this.typeOf(rest, indent) : 'unknown'} }`
  }
}
