import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenApi, Schemas } from '../../src/reference/model/OpenApi.ts'
import { type Operation, readFamily } from '../../src/reference/model/Operation.ts'
import { type Request, toRequest } from '../../src/reference/model/Request.ts'
import { toGo, toPython } from '../../src/reference/model/snippets.ts'
import { type Command, execute, isAtHand, PYTHON } from './execute.ts'
import type { Check } from './matrixPage.ts'

const RUN_MS = 60_000
const ELECTOR = `-1:${'3'.repeat(64)}`

/** Values that any network has, for required parameters. */
const values: { readonly [name: string]: string } = {
  address: ELECTOR,
  account: ELECTOR,
  seqno: '1',
  mc_seqno: '1',
  workchain: '-1',
  shard: '-9223372036854775808',
  method: 'active_election_id',
  stack: '[]',
}

/** Every endpoint of v2 and v3 that can be asked with these values. */
const listRequests = async (url: string): Promise<readonly (readonly [name: string, request: Request])[]> => {
  const families = await Promise.all(
    ['v2', 'v3'].map(async (api) => {
      const response = await fetch(`${url}/ton/api/${api}/openapi.json`)
      return readFamily(api, (await response.json()) as OpenApi)
    }),
  )
  return families.flatMap(({ operations, schemas }) =>
    operations.filter(canBeAsked).map((operation) => [operation.key, requestOf(operation, schemas)] as const),
  )
}

const canBeAsked = ({ parameters, name }: Operation): boolean =>
  name !== 'jsonRPC' && parameters.every(({ name: each, isRequired }) => !isRequired || each in values)

const requestOf = (operation: Operation, schemas: Schemas): Request => {
  const required = operation.parameters.filter(({ isRequired }) => isRequired)
  return toRequest(operation, Object.fromEntries(required.map(({ name }) => [name, values[name]!])), schemas)
}

/** The snippets that work by themselves: those of requests that the service accepts. */
const accepted = async (url: string) => {
  const requests = await listRequests(url)
  const answers = await Promise.all(requests.map(async ([, request]) => (await send(url, request)).ok))
  return requests.filter((_, k) => answers[k])
}

const send = (url: string, { method, path, headers, body }: Request): Promise<Response> =>
  fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })

/** Runs the snippets of the API reference: in Python all, in Go, where each takes long to compile, one of each shape. */
export const runSnippets = async (url: string, folder: string) => {
  const requests = await accepted(url)
  const shapes = new Map(
    requests.map(([name, request]) => [`${request.method} ${request.path.includes('?')}`, [name, request] as const]),
  )
  return [
    { language: 'Python', checks: await runLanguage(python, requests, url, folder) },
    { language: 'Go', checks: await runLanguage(go, [...shapes.values()], url, folder) },
  ]
}

type Language = {
  readonly ending: string
  readonly command: Command
  readonly toText: (request: Request, origin: string, hasKey: boolean) => string
}

const python: Language = { ending: 'py', command: [PYTHON], toText: toPython }
const go: Language = { ending: 'go', command: ['go', 'run'], toText: toGo }

/** Each with and without an API key; a text says why none could be run. */
const runLanguage = async (
  { ending, command, toText }: Language,
  requests: readonly (readonly [name: string, request: Request])[],
  url: string,
  folder: string,
): Promise<Check[] | string> => {
  if (!isAtHand(command[0])) return `there is no program ${command[0]}`
  const checks: Check[] = []
  for (const [name, request] of requests) {
    for (const hasKey of [false, true]) {
      const file = `${name.replaceAll(/\W+/g, '-')}${hasKey ? '-key' : ''}.${ending}`
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, file), `${toText(request, url, hasKey)}\n`)
      const env = { API_KEY: 'any', GO111MODULE: 'off' }
      const { code, out, err } = await execute([...command, file], { cwd: folder, limitMs: RUN_MS, env })
      const reason = code === 0 && out.trim() !== '' ? undefined : `exit code ${code}: ${err.slice(-500)}`
      checks.push({ name: file, ...(reason !== undefined && { reason }) })
    }
  }
  return checks
}
