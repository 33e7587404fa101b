import assert from 'node:assert/strict'
import { assertDescribed, readPublished } from './openApiCheck.ts'
import { getV3, type Json, postV3, type V3Answer } from './v3Client.ts'

type Args = { readonly [name: string]: unknown }

/** An answer must be what our own description has for it, and what the published one has where that is at hand. */
export const assertV3Answer = async (
  base: string,
  name: string,
  method: 'get' | 'post',
  answer: Pick<V3Answer, 'status' | 'body'>,
): Promise<void> => {
  const { status, body } = answer
  await assertDescribed({ base, name, method, status, body })
  const published = readPublished('v3')
  if (published === undefined) return
  const described = published.document.paths[`/${name}`]?.[method]
  // Endpoints of our own are described by us alone.
  if (described === undefined) return
  const { responses } = described
  const schema =
    status === 200 ? responses['200'].content['application/json'].schema : { $ref: '#/components/schemas/Error' }
  published.assertFits(schema, body, `${method} ${name} ${status}`)
}

const checkHeaders = (headers: Headers, from: string): void => {
  assert.match(headers.get('x-api-version') ?? '', /^1\.2\.[0-9]+$/, from)
  assert.match(headers.get('server-timing') ?? '', /^app;dur=[0-9]+\.[0-9]{3}$/, from)
  assert.match(headers.get('content-type') ?? '', /^application\/json/, from)
}

/**
 * Asks in both dialects. Both answers must be successes that our description and the published one take, and the same but for the spelling of
 * opcodes. Returns the neutral one.
 */
export const askBothWays = async (url: string, name: string, args: Args = {}): Promise<Json> => {
  const [neutral, other] = await askPrefixes(url, (base) => getV3(base, name, args))
  const from = `${name} ${JSON.stringify(args).slice(0, 300)}`
  for (const { base, answer } of [neutral, other]) {
    assert.equal(answer.status, 200, `${from} answered ${JSON.stringify(answer.body).slice(0, 500)}`)
    checkHeaders(answer.headers, from)
    await assertV3Answer(base, name, 'get', answer)
  }
  assert.deepEqual(toNeutral(other.answer.body), neutral.answer.body)
  return neutral.answer.body
}

/** As {@link askBothWays}, by POST. */
export const postBothWays = async (url: string, name: string, body: Args): Promise<Json> => {
  const [neutral, other] = await askPrefixes(url, (base) => postV3(base, name, body))
  for (const { base, answer } of [neutral, other]) {
    assert.equal(answer.status, 200, `${name} answered ${JSON.stringify(answer.body)}`)
    await assertV3Answer(base, name, 'post', answer)
  }
  assert.deepEqual(other.answer.body, neutral.answer.body)
  return neutral.answer.body
}

type Prefixed = { readonly base: string; readonly answer: V3Answer }

const askPrefixes = async (url: string, ask: (base: string) => Promise<V3Answer>): Promise<[Prefixed, Prefixed]> => {
  const [neutral, other] = [`${url}/api/v3`, `${url}/ton/api/v3`]
  return [
    { base: neutral, answer: await ask(neutral) },
    { base: other, answer: await ask(other) },
  ]
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
    await assertV3Answer(base, name, 'get', answer)
    if (typeof text === 'string') assert.equal(answer.body.error, text, from)
    else assert.match(answer.body.error, text, from)
  }
}
