import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { readFixture } from '../../support/fixtures.ts'
import { missingRecordings, parseAnswer } from '../../support/goldenCases.ts'
import { ask, questionOf } from '../../support/goldenQuestion.ts'
import { startV2Localnet } from '../../support/v2Localnet.ts'

const folder = 'mainnet/api-v2'

/** What the test-suite of the original server asserts: calls, and expressions about the answer to the last one. */
type Fact = {
  readonly test: string
  readonly calls: readonly { readonly method: string; readonly params: JsonObject }[]
  readonly expect: readonly string[]
  readonly parametrize?: { readonly names: string; readonly values: readonly JsonValue[] }
}

const lastSeqno = 400

/** A question of a fact with what stands for its expressions, and the status it must have. */
type Asserted = { readonly name: string; readonly method: string; readonly params: JsonObject; readonly status: number }

/** Facts about questions that are refused, and about those that need no network: the rest is about accounts of the main one. */
const listAsserted = ({ test: name, calls, expect, parametrize }: Fact): Asserted[] => {
  const { method, params } = calls.at(-1)!
  const names = parametrize?.names.split(',') ?? []
  const rows = parametrize?.values ?? [null]
  return rows.flatMap((row) => {
    const values = [row].flat()
    const known = new Map<string, JsonValue>(names.map((variable, at) => [variable, values[at] ?? null]))
    known.set('last_mc_seqno + 10000', lastSeqno + 10_000)
    const status = /status_code == (\w+)/.exec(expect[0]!)?.[1]
    const code = known.get(status ?? '') ?? Number(status)
    const isLocal = /^(detect|pack|unpack)/.test(method)
    const given = Object.entries(params).map(([param, value]): [string, JsonValue] => {
      const expression = isJsonObject(value) ? (value['expr'] as string) : undefined
      return [param, expression === undefined ? value : (known.get(expression) ?? value)]
    })
    const isKnown = given.every(([, value]) => !isJsonObject(value))
    return isKnown && (code !== 200 || isLocal)
      ? [{ name, method, params: Object.fromEntries(given), status: code as number }]
      : []
  })
}

describe('what the original asserts about itself', { skip: missingRecordings(folder) }, () => {
  test('refusals and conversions have the same status here', async (t) => {
    const text = Buffer.from(readFixture(`${folder}/asserted-behaviour.json`)).toString('utf8')
    const { facts } = parseAnswer(text) as unknown as { facts: readonly Fact[] }
    const asserted = facts.flatMap(listAsserted)
    assert.ok(asserted.length >= 40, `there are ${asserted.length}`)
    const service = await startV2Localnet()
    t.after(() => service.close())
    for (const { name, method, params, status } of asserted) {
      for (const transport of ['get', 'post', 'rpc'] as const) {
        const answer = await ask(`${service.url}/ton/api/v2`, questionOf(transport, method, params))
        assert.equal(answer.status, status, `${name} by ${transport}: ${JSON.stringify(answer.body)}`)
      }
    }
    t.diagnostic(`${asserted.length} assertions hold`)
  })
})
