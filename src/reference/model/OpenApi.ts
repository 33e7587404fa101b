/** As much of OpenAPI 3.1 as our descriptions use. */
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: { readonly [path: string]: { readonly [method: string]: OperationObject } }
  readonly components: { readonly schemas: Schemas }
}

export type Schemas = { readonly [name: string]: Schema }

export type OperationObject = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly ParameterObject[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: { readonly description: string; readonly content?: Content } }
}

export type ParameterObject = {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = { readonly 'application/json'?: { readonly schema?: Schema } }

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Schemas
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Schemas
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
}
