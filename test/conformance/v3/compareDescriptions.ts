import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'

/** An OpenAPI document. */
export type Description = { readonly paths: JsonObject; readonly components: { readonly schemas: JsonObject } }

/** An operation: `get /traces`. */
type Operations = ReadonlyMap<string, JsonObject>

/**
 * Every place where our description does not keep what the published one promises: operations, parameters, statuses and members that
 * are not there, and types that are not compatible. `prefix` is what our paths begin with.
 */
export const compareDescriptions = (published: Description, ours: Description, prefix: string): string[] => {
  const own = operationsOf(ours, prefix)
  const walk = { published, ours, seen: new Set<string>() }
  return [...operationsOf(published, '')].flatMap(([name, wanted]) => {
    const found = own.get(name)
    if (found === undefined) return [`${name}: missing`]
    return [
      ...compareArguments(argumentsOf(published, wanted), argumentsOf(ours, found), name, walk),
      ...compareStatuses(wanted, found, name),
      ...compareSchemas(resultOf(wanted), resultOf(found), `${name} =>`, walk),
    ]
  })
}

/** What our description has and the published one does not: operations, and parameters of operations. */
export const listAdditions = (published: Description, ours: Description, prefix: string): string[] => {
  const known = operationsOf(published, '')
  return [...operationsOf(ours, prefix)].flatMap(([name, found]) => {
    const wanted = known.get(name)
    if (wanted === undefined) return [`${name}: additional`]
    const names = new Set(argumentsOf(published, wanted).keys())
    return [...argumentsOf(ours, found).keys()]
      .filter((each) => !names.has(each))
      .map((each) => `${name} ? ${each}: additional`)
  })
}

const operationsOf = ({ paths }: Description, prefix: string): Operations =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods as JsonObject).map(([method, operation]) => [
        `${method} ${path.slice(prefix.length)}`,
        operation as JsonObject,
      ]),
    ),
  )

const resultOf = (operation: JsonObject): JsonObject => {
  const responses = operation['responses'] as JsonObject
  return jsonSchemaOf(responses['200'] as JsonObject)
}

const jsonSchemaOf = ({ content }: JsonObject): JsonObject =>
  ((content as JsonObject)['application/json'] as JsonObject)['schema'] as JsonObject

type Argument = { readonly isRequired: boolean; readonly schema: JsonObject }

/** Those of the query, of headers and of the body, by name. */
const argumentsOf = (document: Description, { parameters, requestBody }: JsonObject): ReadonlyMap<string, Argument> => {
  const found = new Map<string, Argument>()
  for (const each of (parameters ?? []) as readonly JsonObject[]) {
    const at = each['in'] === 'query' ? '' : `${each['in']} `
    found.set(`${at}${each['name']}`, {
      isRequired: each['required'] === true,
      schema: follow(document, each['schema'] as JsonObject),
    })
  }
  if (requestBody !== undefined) {
    const { properties, required } = follow(document, jsonSchemaOf(requestBody as JsonObject))
    for (const [name, schema] of Object.entries(properties as JsonObject)) {
      found.set(name, { isRequired: isNamed(required, name), schema: follow(document, schema as JsonObject) })
    }
  }
  return found
}

type Documents = { readonly published: Description; readonly ours: Description }

/** Bounds of values, which must be the same. */
const bounds = ['default', 'minimum', 'maximum', 'maxItems', 'enum'] as const

const compareArguments = (
  wanted: ReadonlyMap<string, Argument>,
  found: ReadonlyMap<string, Argument>,
  operation: string,
  documents: Documents,
): string[] =>
  [...wanted].flatMap(([name, { isRequired, schema }]) => {
    const at = `${operation} ? ${name}`
    const own = found.get(name)
    if (own === undefined) return [`${at}: missing`]
    const types = (document: Description, given: JsonObject): string =>
      alternativesOf(document, given).map(typeOf).sort().join(' or ')
    const said: [string, string, string][] = [
      ['required', `${isRequired}`, `${own.isRequired}`],
      ['type', types(documents.published, schema), types(documents.ours, own.schema)],
      ...bounds
        .filter((bound) => schema[bound] !== undefined)
        .map((bound): [string, string, string] => [bound, boundOf(schema, bound), boundOf(own.schema, bound)]),
    ]
    const items = schema['items'] as JsonObject | undefined
    if (items !== undefined) {
      const ownItems = (own.schema['items'] ?? {}) as JsonObject
      said.push(['items', types(documents.published, items), types(documents.ours, ownItems)])
    }
    return said.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${at}: ${what} is ${a}, ours ${b}`)
  })

/** A choice of texts may be written as one of constants. */
const boundOf = (schema: JsonObject, bound: string): string => {
  if (bound !== 'enum') return JSON.stringify(schema[bound])
  const constants = (schema['anyOf'] as readonly JsonObject[] | undefined)?.map((each) => each['const'])
  return JSON.stringify(schema['enum'] ?? constants)
}

/** What gateways do, and what anything may come to, is not told of each. */
const commonStatuses = new Set(['200', '429', '500'])

const compareStatuses = (wanted: JsonObject, found: JsonObject, operation: string): string[] => {
  const own = Object.keys(found['responses'] as JsonObject)
  return Object.keys(wanted['responses'] as JsonObject)
    .filter((status) => !commonStatuses.has(status) && !own.includes(status))
    .map((status) => `${operation}: status ${status} is missing`)
}

type Walk = Documents & { readonly seen: Set<string> }

/** Whatever fits our schema must fit the published one. */
const compareSchemas = (wanted: JsonObject, found: JsonObject, path: string, walk: Walk): string[] => {
  // Schemas that have a name are compared once, and under that: trees refer to themselves.
  const [name, own] = [refOf(wanted), refOf(found)]
  if (name === undefined || own === undefined) return compareChoices(wanted, found, path, walk)
  const pair = `${name} ${own}`
  if (walk.seen.has(pair)) return []
  walk.seen.add(pair)
  return compareChoices(wanted, found, name.slice('#/components/schemas/'.length), walk)
}

const compareChoices = (wanted: JsonObject, found: JsonObject, path: string, walk: Walk): string[] => {
  const allowed = alternativesOf(walk.published, wanted)
  return alternativesOf(walk.ours, found).flatMap((alternative) => {
    const type = typeOf(alternative)
    const tries = allowed
      .filter((each) => typeOf(each) === type || typeOf(each) === 'anything' || isNarrower(type, typeOf(each)))
      .map((each) => compareAlternatives(each, alternative, path, walk))
    return (
      tries.toSorted((a, b) => a.length - b.length)[0] ?? [
        `${path}: is ${allowed.map(typeOf).sort().join(' or ')}, ours ${type}`,
      ]
    )
  })
}

const isNarrower = (type: string, than: string): boolean => type === 'integer' && than === 'number'

const compareAlternatives = (wanted: JsonObject, found: JsonObject, path: string, walk: Walk): string[] => {
  if (typeOf(wanted) === 'array') {
    const [items, own] = [wanted['items'], found['items']]
    return isJsonObject(items) && isJsonObject(own) ? compareSchemas(items, own, `${path}[]`, walk) : []
  }
  if (typeOf(wanted) === 'object') return compareMembers(wanted, found, path, walk)
  // How a text is encoded is seen in answers, each of which is held against the published description.
  const [words, own] = [wanted['enum'], found['enum']]
  if (!Array.isArray(words) || (Array.isArray(own) && own.every((each) => words.includes(each)))) return []
  return [`${path}: is one of ${words.length} words, ours ${Array.isArray(own) ? JSON.stringify(own) : 'any text'}`]
}

const compareMembers = (wanted: JsonObject, found: JsonObject, path: string, walk: Walk): string[] => {
  const [members, own] = [wanted, found].map((each) => (each['properties'] ?? {}) as JsonObject) as [
    JsonObject,
    JsonObject,
  ]
  const lines = Object.entries(members).flatMap(([name, schema]) => {
    if (own[name] === undefined) return isOpen(found) ? [] : [`${path}.${name}: missing`]
    return [
      ...(isNamed(wanted['required'], name) && !isNamed(found['required'], name)
        ? [`${path}.${name}: always there, ours may be absent`]
        : []),
      ...compareSchemas(schema as JsonObject, own[name] as JsonObject, `${path}.${name}`, walk),
    ]
  })
  const closed = wanted['additionalProperties'] === false
  const unknown = Object.keys(own).filter((name) => closed && members[name] === undefined)
  const [rest, ownRest] = [restOf(wanted), restOf(found)]
  return [
    ...lines,
    ...unknown.map((name) => `${path}.${name}: additional`),
    ...(rest !== undefined && ownRest !== undefined ? compareSchemas(rest, ownRest, `${path}.*`, walk) : []),
  ]
}

/** Members of any name are told of by a pattern or as additional ones. */
const restOf = (schema: JsonObject): JsonObject | undefined => {
  const patterns = schema['patternProperties'] as JsonObject | undefined
  const rest = patterns === undefined ? schema['additionalProperties'] : Object.values(patterns)[0]
  return isJsonObject(rest) ? rest : undefined
}

const isOpen = (schema: JsonObject): boolean => schema['additionalProperties'] === true || restOf(schema) !== undefined

const refOf = (schema: JsonObject): string | undefined => schema['$ref'] as string | undefined

const follow = (document: Description, schema: JsonObject): JsonObject => {
  const name = refOf(schema)?.split('/').at(-1)
  return name === undefined ? schema : follow(document, document.components.schemas[name] as JsonObject)
}

/** What a schema allows, each of one type. */
const alternativesOf = (document: Description, schema: JsonObject): JsonObject[] => {
  const whole = follow(document, schema)
  const { anyOf, oneOf, ...rest } = whole as { anyOf?: JsonObject[]; oneOf?: JsonObject[] } & JsonObject
  const choices = anyOf ?? oneOf
  if (choices !== undefined && rest['type'] === undefined)
    return choices.flatMap((each) => alternativesOf(document, each))
  const { type } = rest
  if (Array.isArray(type)) return type.map((each) => ({ ...rest, type: each as string }))
  return [whole]
}

const typeOf = ({ type, const: constant, enum: words }: JsonObject): string => {
  if (typeof type === 'string') return type
  if (constant !== undefined) return constant === null ? 'null' : typeof constant
  return Array.isArray(words) ? typeof words[0] : 'anything'
}

const isNamed = (names: JsonValue | undefined, name: string): boolean => Array.isArray(names) && names.includes(name)
