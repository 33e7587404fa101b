import { toCallName } from '../../client/callEndpoint.ts'
import type { OpenApi, OperationObject, Schema, Schemas } from './OpenApi.ts'

/** Something that can be asked, whichever methods it is asked by. */
export type Operation = {
  /** Of the interface: v2, v3, dev. */
  readonly api: string
  /** Unique among all: `v3/jetton/wallets`. */
  readonly key: string
  /** Without the prefix of the interface. */
  readonly name: string
  readonly path: string
  readonly methods: readonly ('GET' | 'POST')[]
  readonly tag: string
  readonly summary: string
  readonly description: string | undefined
  readonly parameters: readonly Parameter[]
  readonly responses: readonly Answer[]
}

export type Parameter = {
  readonly name: string
  readonly place: 'query' | 'header' | 'body'
  readonly isRequired: boolean
  readonly description: string | undefined
  readonly schema: Schema
}

export type Answer = { readonly status: string; readonly description: string; readonly schema: Schema | undefined }

/** An interface with all that can be asked of it. */
export type Family = {
  readonly api: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly schemas: Schemas
  readonly operations: readonly Operation[]
}

export const readFamily = (api: string, { info, paths, components }: OpenApi): Family => ({
  api,
  ...info,
  schemas: components.schemas,
  operations: Object.entries(paths).map(([path, methods]) => readOperation(api, path, methods, components.schemas)),
})

const readOperation = (
  api: string,
  path: string,
  methods: { readonly [method: string]: OperationObject },
  schemas: Schemas,
): Operation => {
  const object = methods['get'] ?? methods['post']!
  const name = path.replace(/^((\/ton)?\/api\/v\d|\/dev)\//, '')
  return {
    api,
    key: `${api}/${name}`,
    name,
    path,
    methods: Object.keys(methods).map((method) => method.toUpperCase() as 'GET' | 'POST'),
    tag: object.tags[0] ?? 'other',
    summary: object.summary,
    description: object.description,
    parameters: methods['get'] === undefined ? bodyParameters(object, schemas) : queryParameters(object),
    responses: Object.entries(object.responses).map(([status, { description, content }]) => ({
      status,
      description,
      schema: content?.['application/json']?.schema,
    })),
  }
}

const queryParameters = ({ parameters = [] }: OperationObject): Parameter[] =>
  parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    place,
    isRequired: required,
    description: description ?? schema.description,
    schema,
  }))

const bodyParameters = ({ requestBody }: OperationObject, schemas: Schemas): Parameter[] => {
  const given = requestBody?.content['application/json']?.schema
  if (given === undefined) return []
  const whole = follow(given, schemas)
  // Where a batch is taken as well, one call is shown.
  const { properties = {}, required = [] } = whole.properties === undefined ? (whole.anyOf?.[0] ?? whole) : whole
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body',
    isRequired: required.includes(name),
    description: follow(schema, schemas).description,
    schema,
  }))
}

/** What a reference stands for. */
export const follow = (schema: Schema, schemas: Schemas): Schema => {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined
    ? schema
    : { ...schemas[name], ...(schema.default !== undefined && { default: schema.default }) }
}

/** How the client calls it; `undefined` for what is no endpoint of its own. */
export const findCall = ({ api, name }: Operation): string | undefined =>
  name === 'jsonRPC' ? undefined : `client.${api}.${toCallName(name)}`

/** Those whose name, summary or parameters have all the words. */
export const searchOperations = (families: readonly Family[], text: string): readonly Operation[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const all = families.flatMap(({ operations }) => operations)
  if (words.length === 0) return all
  const found = all.filter((operation) => words.every((word) => textOf(operation).includes(word)))
  // Names come before what is only mentioned.
  const isNamed = ({ name }: Operation): number => (words.every((word) => name.toLowerCase().includes(word)) ? 0 : 1)
  return [...found].sort((a, b) => isNamed(a) - isNamed(b))
}

const textOf = ({ key, tag, summary, parameters }: Operation): string =>
  [key, tag, summary, ...parameters.map(({ name }) => name)].join(' ').toLowerCase()

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
