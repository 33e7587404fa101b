import type { Schemas } from './OpenApi.ts'
import { findCall, isList, type Operation, type Parameter } from './Operation.ts'

/** What was typed, by the name of the parameter; lists have one value on each line. */
export type Typed = { readonly [name: string]: string }

export type Request = {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

export const toRequest = ({ path, methods, parameters }: Operation, typed: Typed, schemas: Schemas): Request => {
  const given = parameters.filter(({ name }) => (typed[name] ?? '') !== '')
  const headers = Object.fromEntries(
    given.filter(({ place }) => place === 'header').map(({ name }) => [name, typed[name]!]),
  )
  if (methods.includes('GET')) {
    const query = new URLSearchParams()
    for (const parameter of given) {
      if (parameter.place !== 'query') continue
      for (const value of valuesOf(parameter, typed, schemas)) query.append(parameter.name, value)
    }
    const text = query.toString()
    return { method: 'GET', path: text === '' ? path : `${path}?${text}`, headers, body: undefined }
  }
  const body = Object.fromEntries(given.map((parameter) => [parameter.name, toJson(parameter, typed, schemas)]))
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

const valuesOf = ({ name, schema }: Parameter, typed: Typed, schemas: Schemas): string[] => {
  const text = typed[name] ?? ''
  return isList(schema, schemas)
    ? text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : [text]
}

const toJson = (parameter: Parameter, typed: Typed, schemas: Schemas): unknown => {
  const text = (typed[parameter.name] ?? '').trim()
  if (/^[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // The server says what is wrong with it.
      return text
    }
  }
  if (isList(parameter.schema, schemas)) return valuesOf(parameter, typed, schemas)
  if (text === 'true' || text === 'false') return text === 'true'
  return text
}

/** The request as a line for a terminal. The key itself is never in it. */
export const toCurl = ({ method, path, headers, body }: Request, origin: string, hasKey: boolean): string => {
  const parts = [
    `curl ${quote(`${origin}${path}`)}`,
    ...(hasKey ? ['-H "X-API-Key: $API_KEY"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(method === 'POST' ? [`-d ${quote(body ?? '{}')}`] : []),
  ]
  return parts.join(' \\\n  ')
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The server of a page. */
export type Service = { readonly origin: string; readonly hasKey: boolean; readonly dialect: 'chain' | 'ton' }

/** The same by the client of the package. */
export const toTypeScript = (
  operation: Operation,
  typed: Typed,
  schemas: Schemas,
  { origin, hasKey, dialect }: Service,
): string => {
  const call = findCall(operation)
  if (call === undefined) return '// The client calls each method by its own name.'
  const entries = operation.parameters
    .filter(({ name, place }) => place !== 'header' && (typed[name] ?? '') !== '')
    .map((parameter) => `  ${parameter.name}: ${formatLiteral(parameter, typed, schemas)},\n`)
  const args = entries.length === 0 ? '' : `{\n${entries.join('')}}`
  const key = hasKey ? ', apiKey: process.env.API_KEY' : ''
  return [
    "import { createClient } from 'chaincenter/client'",
    '',
    `const client = createClient({ url: '${origin}'${key}${dialect === 'ton' ? ", dialect: 'ton'" : ''} })`,
    `const result = await ${call}(${args})`,
  ].join('\n')
}

const formatLiteral = (parameter: Parameter, typed: Typed, schemas: Schemas): string => {
  const value = toJson(parameter, typed, schemas)
  const { type } = parameter.schema
  if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) && type === 'integer') return value
  return JSON.stringify(value).replaceAll(/"([^"\\]*)"/g, (whole, text: string) =>
    text.includes("'") ? whole : `'${text}'`,
  )
}
