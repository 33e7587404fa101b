import assert from 'node:assert/strict'
import { assertDescribed, readPublished } from './openApiCheck.ts'
import { getV2, postV2, rpcV2, type V2Answer } from './v2Client.ts'
import type { Json } from './v3Client.ts'

type Args = { readonly [name: string]: unknown }

/** The published description has only hexadecimal numbers; the original gives the number "NaN", too. */
const withoutNan = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value).replaceAll('["num","NaN"]', '["num","0x0"]').replaceAll('"number":"NaN"', '"number":"0"'),
  )

/** A value must be what the published description, where it is at hand, has under this name. */
export const assertContract = (schema: string, value: unknown): void =>
  readPublished('v2')?.assertFits({ $ref: `#/components/schemas/${schema}` }, withoutNan(value), schema)

const dialects = [
  ['/api/v2', 'chain'],
  ['/ton/api/v2', 'ton'],
] as const

export type QueryOptions = {
  /** By which ways it is served; all of them unless told otherwise. */
  readonly ways?: readonly ('get' | 'post' | 'rpc')[]
  /** A member that tells the time: answers may differ in it. */
  readonly clock?: string
}

/**
 * Asks by GET, POST and JSON-RPC, in both dialects. All answers must be successes that the published description takes, and
 * the same but for the dialect. Returns the result in the neutral one.
 */
export const askEveryWay = async (
  url: string,
  name: string,
  args: Args = {},
  { ways = ['get', 'post', 'rpc'], clock }: QueryOptions = {},
): Promise<Json> => {
  const asks = { get: getV2, post: postV2, rpc: rpcV2 }
  const results: { readonly from: string; readonly result: unknown }[] = []
  for (const [prefix, dialect] of dialects) {
    for (const way of ways) {
      const from = `${way} ${prefix}/${name}`
      const { status, body, headers } = await asks[way](`${url}${prefix}`, name, args)
      assert.equal(status, 200, `${from} answered ${JSON.stringify(body)}`)
      assert.match(headers.get('x-api-version') ?? '', /^2\.2\.[0-9]+$/)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.match(body['@extra'], /^[0-9]+:(_|[0-9]+(,[0-9]+)*):[0-9]+\.[0-9]{3}(:c)?$/)
      const { jsonrpc, id, ...envelope } = body
      assert.deepEqual([jsonrpc, id], way === 'rpc' ? ['2.0', 7] : [undefined, undefined])
      const method = way === 'rpc' ? (ways.find((each) => each !== 'rpc') ?? 'post') : way
      await assertDescribed({ base: `${url}${prefix}`, name, method, status, body: envelope })
      assertContract(`${name}Response`, envelope)
      results.push({ from, result: toNeutral(envelope.result, dialect) })
    }
  }
  const [first, ...others] = results
  const timeless = (result: unknown): unknown =>
    clock === undefined ? result : { ...(result as Json), [clock]: undefined }
  for (const { from, result } of others)
    assert.deepEqual(timeless(result), timeless(first?.result), `${from} differs from ${first?.from}`)
  return first?.result
}

/** Every block id must speak the dialect; the result is the same with the neutral word. */
const toNeutral = (value: unknown, dialect: string): unknown => {
  if (Array.isArray(value)) return value.map((each) => toNeutral(each, dialect))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (name !== '@type' || !String(member).endsWith('.blockIdExt')) return [name, toNeutral(member, dialect)]
      assert.equal(member, `${dialect}.blockIdExt`)
      return [name, 'chain.blockIdExt']
    }),
  )
}

export type Refusal = {
  readonly status: number
  /** The whole text by GET; the others say post where this says get. */
  readonly text: string | RegExp
}

/** Asks by all ways as {@link askEveryWay} does; all must answer with the same failure. */
export const assertRefused = async (
  url: string,
  name: string,
  args: Args,
  { status, text }: Refusal,
  { ways = ['get', 'post', 'rpc'] }: QueryOptions = {},
): Promise<void> => {
  const asks = { get: getV2, post: postV2, rpc: rpcV2 }
  for (const way of ways) {
    const answer = await asks[way](`${url}/api/v2`, name, args)
    const from = `${way} ${name} ${JSON.stringify(args)}: ${JSON.stringify(answer.body)}`
    assertFailure(answer, status, from)
    const { error, jsonrpc, id } = answer.body
    assert.deepEqual([jsonrpc, id], way === 'rpc' ? ['2.0', 7] : [undefined, undefined], from)
    if (typeof text !== 'string') assert.match(error, text, from)
    else assert.equal(error, way === 'get' ? text : text.replace('failed to parse get', 'failed to parse post'), from)
  }
}

/** An answer must be a failure with this status, in the envelope. */
export const assertFailure = ({ status, body }: V2Answer, expected: number, from = JSON.stringify(body)): void => {
  assert.equal(status, expected, from)
  assertContract('ErrorEnvelope', body)
  assert.equal(body.code, expected, from)
  assert.equal(body.ok, false, from)
  assert.equal('result' in body, false, from)
  assert.equal(typeof body['@extra'], 'string', from)
}
