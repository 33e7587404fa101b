import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Schema from 'typebox/schema'

const contractPath = join(import.meta.dirname, '../../../shared/contract/v3.openapi.json')

/** Whether the published description is there; where it is not, the test is skipped and says so. */
export const haveV3Contract = (t: TestContext): boolean => {
  if (existsSync(contractPath)) return true
  t.skip('NOT TESTED: there is no published description at ../shared/contract/v3.openapi.json.')
  return false
}

/** The published description. */
export const readV3Contract = (): Json => {
  contract ??= JSON.parse(readFileSync(contractPath, 'utf8'))
  return contract
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into at every depth, and a wrong look fails the test
export type Json = any

export type V3Answer = { readonly status: number; readonly body: Json; readonly headers: Headers }

type Args = { readonly [name: string]: unknown }

const readAnswer = async (response: Response): Promise<V3Answer> => {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
}

/** Asks by GET; lists are repeated. `base` ends in /api/v3. */
export const getV3 = async (
  base: string,
  name: string,
  args: Args = {},
  headers: Record<string, string> = {},
): Promise<V3Answer> => {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(key, String(each))
  }
  return readAnswer(await fetch(`${base}/${name}?${query}`, { headers }))
}

/** `body` is sent as it is where it is a text. */
export const postV3 = async (base: string, name: string, body: Args | string): Promise<V3Answer> =>
  readAnswer(
    await fetch(`${base}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): [boolean, Json[]] }

let contract: Json
const checkers = new Map<string, Checker>()

const checkerOf = (schema: object): Checker => {
  const key = JSON.stringify(schema)
  let checker = checkers.get(key)
  if (checker === undefined) {
    checker = Schema.Compile({ ...schema, components: readV3Contract().components } as object) as unknown as Checker
    checkers.set(key, checker)
  }
  return checker
}

const assertFits = (schema: object, value: unknown, what: string): void => {
  const checker = checkerOf(schema)
  if (checker.Check(value)) return
  const found = checker.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`)
  assert.fail(`not what ${what} is: ${found.slice(0, 10).join('; ')}\n${JSON.stringify(value)?.slice(0, 2000)}`)
}

/** A value must be what the published description has under this name. */
export const assertV3Schema = (name: string, value: unknown): void => {
  if (existsSync(contractPath)) assertFits({ $ref: `#/components/schemas/${name}` }, value, name)
}

/** A success must be what the published description has for this path and method. */
const assertV3Answer = (path: string, method: 'get' | 'post', value: unknown): void => {
  if (!existsSync(contractPath)) return
  const { schema } = readV3Contract().paths[`/${path}`][method].responses['200'].content['application/json']
  assertFits(schema, value, `the answer of ${path}`)
}

const checkHeaders = (headers: Headers, from: string): void => {
  assert.match(headers.get('x-api-version') ?? '', /^1\.2\.[0-9]+$/, from)
  assert.match(headers.get('server-timing') ?? '', /^app;dur=[0-9]+\.[0-9]{3}$/, from)
  assert.match(headers.get('content-type') ?? '', /^application\/json/, from)
}

/**
 * Asks in both dialects. Both answers must be successes that the published description takes, and the same but for the spelling of
 * opcodes. Returns the neutral one.
 */
export const askBothWays = async (url: string, name: string, args: Args = {}): Promise<Json> => {
  const neutral = await getV3(`${url}/api/v3`, name, args)
  const other = await getV3(`${url}/ton/api/v3`, name, args)
  for (const { status, body, headers } of [neutral, other]) {
    const from = `${name} ${JSON.stringify(args).slice(0, 300)}`
    assert.equal(status, 200, `${from} answered ${JSON.stringify(body).slice(0, 500)}`)
    checkHeaders(headers, from)
    assertV3Answer(name, 'get', body)
  }
  assert.deepEqual(toNeutral(other.body), neutral.body)
  return neutral.body
}

/** As {@link askBothWays}, by POST. */
export const postBothWays = async (url: string, name: string, body: Args): Promise<Json> => {
  const answers = [await postV3(`${url}/api/v3`, name, body), await postV3(`${url}/ton/api/v3`, name, body)]
  for (const answer of answers) {
    assert.equal(answer.status, 200, `${name} answered ${JSON.stringify(answer.body)}`)
    assertV3Answer(name, 'post', answer.body)
  }
  assert.deepEqual(answers[1]!.body, answers[0]!.body)
  return answers[0]!.body
}

/** The same answer with the opcodes of messages as numbers. */
const toNeutral = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toNeutral)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name !== 'opcode' || !('decoded_opcode' in value) || member === null) return [name, toNeutral(member)]
      assert.match(String(member), /^0x[0-9a-f]{8}$/)
      return [name, Number(member) | 0]
    }),
  )
}

/** The answer must be a failure with this status and text, in both dialects. */
export const assertV3Refused = async (
  url: string,
  name: string,
  args: Args,
  status: number,
  text: string | RegExp,
): Promise<void> => {
  for (const base of [`${url}/api/v3`, `${url}/ton/api/v3`]) {
    const answer = await getV3(base, name, args)
    const from = `${name} ${JSON.stringify(args).slice(0, 300)}: ${answer.status} ${JSON.stringify(answer.body)}`
    assert.equal(answer.status, status, from)
    assertV3Schema('Error', answer.body)
    if (typeof text === 'string') assert.equal(answer.body.error, text, from)
    else assert.match(answer.body.error, text, from)
  }
}
