import { existsSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/api/core/json/parseJson.ts'
import { fixturePath, listFixtures, readFixture } from './fixtures.ts'

/** A question that was put to the original software, and what it said. */
export type GoldenCase = {
  /** As `python/getTransactions/0032`. */
  readonly name: string
  readonly server: 'python-2.0' | 'tonlib'
  /** The folder that it lies in: an endpoint, or a function of the node client. */
  readonly endpoint: string
  readonly request: GoldenRequest
  /** `undefined` for the node client, which has none. */
  readonly status: number | undefined
  readonly response: JsonObject
  /** Whether the answer follows from the recorded blocks alone. */
  readonly pinned: boolean
  readonly note: string
}

export type GoldenRequest = {
  /** `tonlib` for the node client. */
  readonly method: 'GET' | 'POST' | 'tonlib'
  readonly path: string
  readonly query: JsonObject
  readonly body: JsonValue | undefined
  /** A body that was sent as it stands, whatever it is. */
  readonly rawBody: string | undefined
}

/** Where the answers of the original software lie. */
const goldenFolder = 'localnet/api-v2'

const limits = { maxDepth: 5000, maxValues: 1_000_000, maxDigits: 1000 }

/** Integers that a number may not hold. */
const longNumber = /[:,[]\s*-?[0-9]{16}/

/** JSON with all digits of its integers, as every answer is read here. */
export const parseAnswer = (text: string): JsonValue =>
  longNumber.test(text) ? parseJson(text, limits) : (JSON.parse(text) as JsonValue)

/** Every recorded question, in the order of their names. */
export const readGoldenCases = (): GoldenCase[] =>
  ['python', 'tonlib'].flatMap((server) => listFixtures(`${goldenFolder}/${server}`, '.json')).map(readCase)

const readCase = (path: string): GoldenCase => {
  const recorded = parseAnswer(Buffer.from(readFixture(path)).toString('utf8'))
  const { endpoint, server, request, status, response, pinned, note } = recorded as JsonObject
  const { method, path: asked, query, body, raw_body } = request as JsonObject
  return {
    name: path.slice(goldenFolder.length + 1, -'.json'.length),
    server: server as GoldenCase['server'],
    endpoint: endpoint as string,
    request: {
      method: method as GoldenRequest['method'],
      path: asked as string,
      query: isJsonObject(query) ? query : {},
      body,
      rawBody: raw_body as string | undefined,
    },
    status: typeof status === 'number' ? status : undefined,
    response: response as JsonObject,
    pinned: pinned === true,
    note: note as string,
  }
}

/** Where the recordings are not there, why a test is skipped; else `false`. */
export const missingRecordings = (folder: string): string | false =>
  existsSync(fixturePath(folder)) ? false : `NOT TESTED: there are no recorded answers at ../shared/fixtures/${folder}.`
