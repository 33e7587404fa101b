// Writes what the client knows of the interfaces: where each endpoint is called and how, the types of arguments and results as plain
// types, which cost a compiler little, and the names of amounts and addresses. With --check it compares instead.
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { type Endpoint, methodsOf } from '../src/api/core/Endpoint.ts'
import { debug } from '../src/api/debug/index.ts'
import { dev } from '../src/api/dev/index.ts'
import { emulateApi } from '../src/api/emulate/index.ts'
import { EventView, SubscriptionView } from '../src/api/streaming/views.ts'
import { v2 } from '../src/api/v2/index.ts'
import { v3 } from '../src/api/v3/index.ts'
import { toCallName } from '../src/client/callEndpoint.ts'
import { quoteName, SchemaTypes } from './clientTypes/SchemaTypes.ts'
import { collectDetailNames, collectValueNames, type ValueNames } from './clientTypes/valueNames.ts'
import { writeGenerated } from './writeGenerated.ts'

const interfaces: { readonly [name: string]: readonly Endpoint[] } = {
  v2: v2.endpoints as readonly Endpoint[],
  v3: v3.endpoints as readonly Endpoint[],
  emulate: emulateApi.endpoints as unknown as readonly Endpoint[],
  debug: debug.endpoints as unknown as readonly Endpoint[],
  dev: dev.endpoints as readonly Endpoint[],
}

const kindOf = (endpoint: Endpoint): string => {
  if (endpoint.isBare === true) return 'bare'
  const methods = methodsOf(endpoint)
  if (endpoint.path !== undefined) return `${methods[0]} ${endpoint.path}`
  if (methods.length > 1) return 'both'
  return methods[0] === 'GET' ? 'get' : 'post'
}

const HEADER = '// Written by scripts/genClient.ts from src/api; do not edit.\n'

const section = ([name, endpoints]: [string, readonly Endpoint[]]): string =>
  [`  ${name}: {`, ...endpoints.map((each) => `    ${quoteName(each.name)}: '${kindOf(each)}',`), '  },'].join('\n')

writeGenerated(
  'src/client/generated/endpointTable.ts',
  `${HEADER}
/** By which methods an endpoint is called; the answer of a bare one has nothing around it. One with a path of its own has method and path. */
export type EndpointKind = 'get' | 'post' | 'both' | 'bare' | \`\${'GET' | 'POST' | 'PUT' | 'DELETE'} \${string}\`

export const endpointTable = {
${Object.entries(interfaces).map(section).join('\n')}
} as const satisfies { readonly [name: string]: { readonly [endpoint: string]: EndpointKind } }
`,
)

/** An action is told apart by its type. */
const writeAction = (text: string): string => `type ActionMembers = ${text}

/** What happened: \`type\` tells what \`details\` has. */
export type Action = {
  [Type in keyof ActionDetails]: Omit<ActionMembers, 'type' | 'details'> & { type: Type; details: ActionDetails[Type] }
}[keyof ActionDetails]
`

const isList = (schema: TSchema): boolean => (schema as { type?: unknown }).type === 'array'

/** One of several words. */
const isWord = (schema: TSchema): boolean =>
  ((schema as { anyOf?: readonly object[] }).anyOf ?? []).some((each) => 'const' in each)

/** Where a list is expected, a single value will do if it is sent in a query. */
const argumentOf = (types: SchemaTypes, endpoint: Endpoint, name: string): string => {
  const { schema: wire, shown = wire, presence } = endpoint.params[name]!
  // The wire takes more than is documented; the documented form is the better type where it says more.
  const schema = isWord(shown) || types.typeOf(wire) === 'unknown' ? shown : wire
  const text = types.typeOf(schema, '    ').replace(/(\w+|\))\[\]$/, (list) => `readonly ${list}`)
  const isInQuery = methodsOf(endpoint).includes('GET')
  const one = isList(schema) && isInQuery ? `${types.typeOf((schema as { items?: TSchema }).items!)} | ` : ''
  const { description } = shown as { description?: string }
  const comment = description === undefined ? '' : `    /** ${description.replaceAll('*/', '*\\/')} */\n`
  const isRequired = presence === 'required'
  return `${comment}    readonly ${quoteName(name)}${isRequired ? '' : '?'}: ${one}${text}${isRequired ? '' : ' | undefined'}`
}

const writeCall = (types: SchemaTypes, endpoint: Endpoint): string => {
  const names = Object.keys(endpoint.params)
  const isRequired = Object.values(endpoint.params).some(({ presence }) => presence === 'required')
  const args =
    names.length === 0 ? '{}' : `{\n${names.map((name) => argumentOf(types, endpoint, name)).join('\n')}\n  }`
  const result = endpoint.status === 204 ? 'void' : types.typeOf(endpoint.result, '  ')
  return `  /** ${endpoint.summary} */
  readonly ${toCallName(endpoint.name)}: (
    args${isRequired ? '' : '?'}: ${args},
    options?: CallOptions,
  ) => Promise<${result}>
`
}

/** Interfaces have types in common; the first file that has one keeps it. */
const homes = new Map<string, { readonly file: string; readonly text: string }>()

const writeTypes = (file: string, types: SchemaTypes, body: string, imports: readonly string[]): void => {
  const shared = new Map<string, string[]>()
  const own: string[] = []
  for (const [name, text] of [...types.declared].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const home = homes.get(name)
    if (home?.text === text) shared.set(home.file, [...(shared.get(home.file) ?? []), name])
    else own.push(text)
    if (home === undefined) homes.set(name, { file, text })
  }
  const rest = [...own, body].filter((text) => text !== '').join('\n')
  const isUsed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(rest)
  const fromOthers = [...shared].flatMap(([from, names]) => {
    const used = names.filter(isUsed)
    return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${from}.ts'`]
  })
  const lines = [...imports, ...fromOthers]
  writeGenerated(
    `src/client/generated/${file}.ts`,
    `${HEADER}${lines.length > 0 ? `${lines.join('\n')}\n` : ''}\n${rest}`,
  )
}

const written = new Map([['Action', writeAction]])
const options = "import type { CallOptions } from '../callEndpoint.ts'"
const details = "import type { ActionDetails } from '../../actions/details/ActionDetails.ts'"

for (const name of ['v3', 'v2', 'emulate', 'debug', 'dev']) {
  const types = new SchemaTypes(written)
  const calls = interfaces[name]!.map((endpoint) => writeCall(types, endpoint)).join('\n')
  const title = name[0]!.toUpperCase() + name.slice(1)
  const body = `/** A function for each endpoint. */\nexport type ${title}Calls = {\n${calls}}\n`
  writeTypes(name, types, body, name === 'v3' ? [details, options] : [options])
}

const streamTypes = new SchemaTypes(written)
streamTypes.typeOf(EventView)
streamTypes.typeOf(SubscriptionView)
writeTypes('streaming', streamTypes, '', [])

const names: ValueNames = { decimals: new Set(), addresses: new Set(), opaque: new Set(['stack']) }
for (const endpoint of Object.values(interfaces).flat()) collectValueNames(endpoint.result, names)
collectValueNames(EventView, names)
for (const set of Object.values(names)) set.delete('')
// Those of actions have types.
names.opaque.delete('details')
collectDetailNames(join(import.meta.dirname, '..'), names)
const textOf = (set: ReadonlySet<string>): string => [...set].sort().join(' ')
const typeOf = (set: ReadonlySet<string>): string =>
  [...set]
    .sort()
    .map((name) => `  | '${name}'`)
    .join('\n')

writeGenerated(
  'src/client/generated/valueNames.ts',
  `${HEADER}
export type DecimalName =
${typeOf(names.decimals)}

export type AddressName =
${typeOf(names.addresses)}

/** What is below them has no type. */
export type OpaqueName =
${typeOf(names.opaque)}

// Bundlers leave out what is not used.
const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

export const decimalNames: ReadonlySet<string> = /* @__PURE__ */ toSet('${textOf(names.decimals)}')
export const addressNames: ReadonlySet<string> = /* @__PURE__ */ toSet('${textOf(names.addresses)}')
export const opaqueNames: ReadonlySet<string> = /* @__PURE__ */ toSet('${textOf(names.opaque)}')
`,
)
