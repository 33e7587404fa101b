// Writes what the client has to know of the interfaces when it runs: where each endpoint is called, and how. With --check it
// compares instead.
import { type Endpoint, methodsOf } from '../src/api/core/Endpoint.ts'
import { debug } from '../src/api/debug/index.ts'
import { dev } from '../src/api/dev/index.ts'
import { emulateApi } from '../src/api/emulate/index.ts'
import { v2 } from '../src/api/v2/index.ts'
import { v3 } from '../src/api/v3/index.ts'
import { writeGenerated } from './writeGenerated.ts'

const kindOf = (endpoint: Endpoint): string => {
  if (endpoint.isBare === true) return 'bare'
  const methods = methodsOf(endpoint)
  if (endpoint.path !== undefined) return `${methods[0]} ${endpoint.path}`
  if (methods.length > 1) return 'both'
  return methods[0] === 'GET' ? 'get' : 'post'
}

const key = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

const section = (name: string, endpoints: readonly Endpoint[]): string =>
  [`  ${name}: {`, ...endpoints.map((each) => `    ${key(each.name)}: '${kindOf(each)}',`), '  },'].join('\n')

writeGenerated(
  'src/client/generated/endpointTable.ts',
  `// Written by scripts/genClient.ts from src/api; do not edit.

/** By which methods an endpoint is called; the answer of a bare one has nothing around it. One with a path of its own has method and path. */
export type EndpointKind = 'get' | 'post' | 'both' | 'bare' | \`\${'GET' | 'POST' | 'PUT' | 'DELETE'} \${string}\`

export const endpointTable = {
${section('v2', v2.endpoints as readonly Endpoint[])}
${section('v3', v3.endpoints as readonly Endpoint[])}
${section('emulate', emulateApi.endpoints as unknown as readonly Endpoint[])}
${section('debug', debug.endpoints as unknown as readonly Endpoint[])}
${section('dev', dev.endpoints as readonly Endpoint[])}
} as const satisfies { readonly [name: string]: { readonly [endpoint: string]: EndpointKind } }
`,
)
