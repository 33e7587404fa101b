import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import Schema from 'typebox/schema'
import { sharedRoot } from './fixtures.ts'
import type { Json } from './v3Client.ts'

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): [boolean, Json[]] }

/** An OpenAPI document that values are checked against. */
export class OpenApiDocument {
  readonly document: Json
  readonly #name: string
  readonly #checkers = new Map<string, Checker>()

  constructor(name: string, document: Json) {
    this.#name = name
    this.document = document
  }

  /** Fails unless the value fits the schema. */
  assertFits(schema: object, value: unknown, what: string): void {
    const checker = this.#checkerOf(schema)
    if (checker.Check(value)) return
    const found = checker.Errors(value)[1].map(({ instancePath, message }) => `${instancePath} ${message}`)
    assert.fail(
      `${what} does not fit ${this.#name}: ${found.slice(0, 10).join('; ')}\n${JSON.stringify(value)?.slice(0, 2000)}`,
    )
  }

  #checkerOf(schema: object): Checker {
    const key = JSON.stringify(schema)
    let checker = this.#checkers.get(key)
    if (checker === undefined) {
      checker = Schema.Compile({ ...schema, components: this.document.components } as object) as unknown as Checker
      this.#checkers.set(key, checker)
    }
    return checker
  }
}

const served = new Map<string, Promise<OpenApiDocument>>()

/** Our own description, as the service has it at this prefix. `base` is as `http://127.0.0.1:8081/api/v3`. */
const fetchDescription = (base: string): Promise<OpenApiDocument> => {
  let found = served.get(base)
  if (found === undefined) {
    const path = `${new URL(base).pathname}/openapi.json`
    found = fetch(`${base}/openapi.json`)
      .then((response) => response.json())
      .then((document) => new OpenApiDocument(path, document))
    served.set(base, found)
  }
  return found
}

export type Answered = {
  /** As `http://127.0.0.1:8081/ton/api/v3`. */
  readonly base: string
  readonly name: string
  readonly method: 'get' | 'post'
  readonly status: number
  readonly body: unknown
}

/** Fails unless our own description has this status for the endpoint, and a schema for it that the body fits. */
export const assertDescribed = async ({ base, name, method, status, body }: Answered): Promise<void> => {
  const description = await fetchDescription(base)
  const operation = description.document.paths[`${new URL(base).pathname}/${name}`]?.[method]
  const what = `${method} ${name} ${status}`
  const schema = operation?.responses[status]?.content['application/json'].schema
  assert.ok(schema !== undefined, `${what} is not described: ${JSON.stringify(body)?.slice(0, 300)}`)
  description.assertFits(schema, body, what)
}

/** The published description of an interface, which a clone that stands alone does not have: `undefined` there. */
export const readPublished = (version: 'v2' | 'v3'): OpenApiDocument | undefined => {
  if (!published.has(version)) {
    const path = join(sharedRoot, `contract/${version}.openapi.json`)
    const document = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
    published.set(version, document && new OpenApiDocument('the published description', document))
  }
  return published.get(version)
}

const published = new Map<string, OpenApiDocument | undefined>()

/** Whether the published description is there, for a test of nothing else; where it is not, the test is skipped and says so. */
export const havePublished = (t: Pick<TestContext, 'skip'>, version: 'v2' | 'v3'): boolean => {
  if (readPublished(version) !== undefined) return true
  t.skip(`NOT TESTED: there is no published description at ../shared/contract/${version}.openapi.json.`)
  return false
}
