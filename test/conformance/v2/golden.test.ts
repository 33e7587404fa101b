import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject, JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { stringifyJson } from '../../../src/api/core/json/stringifyJson.ts'
import { ask, askAll } from '../../support/goldenQuestion.ts'
import { havePublished } from '../../support/openApiCheck.ts'
import { startV2Localnet } from '../../support/v2Localnet.ts'
import type { V2Service } from '../../support/v2Service.ts'
import { compareAnswer } from './compareAnswer.ts'
import { contractFaults, toNeutral } from './contractFaults.ts'
import { contractParams } from './contractParams.ts'
import { anything } from './Expectation.ts'
import { expectationOf } from './expectationOf.ts'
import { GoldenSet } from './GoldenSet.ts'
import { listLeaves, mutateLeaf } from './mutateLeaf.ts'
import { countDifferences, formatGolden, type GoldenResult, runGolden } from './runGolden.ts'

describe('recorded answers of the original', () => {
  let all: GoldenSet
  let service: V2Service
  let results: readonly GoldenResult[]
  before(async () => {
    all = new GoldenSet()
    service = await startV2Localnet()
    results = await runGolden(`${service.url}/ton/api/v2`, all)
    for (const line of formatGolden(results)) console.log(line)
    for (const [name, count] of countDifferences(results)) console.log(`listed difference, changes ${count}: ${name}`)
  })
  after(() => service.close())

  test('all recorded questions are there, and most can be compared', () => {
    assert.ok(results.length >= 2300, `there are ${results.length}`)
    assert.ok(results.filter(({ outcome }) => outcome === 'incomparable').length < 80)
  })

  test('every endpoint of the contract is served', () => {
    const missing = results
      .filter(({ outcome }) => outcome === 'not served')
      .map(({ golden }) => golden.question.endpoint)
    assert.deepEqual([...new Set(missing)], [])
  })

  test('our answers are equal to the recorded ones, but for the listed differences', () => {
    const wrong = results.filter(({ outcome }) => outcome === 'different')
    const lines = wrong.flatMap(({ golden, found }) => found.map((line) => `${golden.name} (${golden.note}): ${line}`))
    assert.equal(wrong.length, 0, `${wrong.length} answers differ:\n${lines.slice(0, 40).join('\n')}`)
  })

  test('a wrong value anywhere in an answer is noticed', (t) => {
    let tried = 0
    for (const { golden, expectation, answer, found } of results) {
      const [expected] = expectation.kind === 'either' ? expectation.options : [expectation]
      if (found.length > 0 || expected?.kind !== 'answer' || answer?.status !== 200) continue
      // These two may be otherwise where the list of differences says so.
      const leaves = listLeaves(expected.result).filter((leaf) => !/\.(incomplete|state_proof)$/.test(leaf))
      const leaf = leaves[(tried * 31) % leaves.length]
      if (leaf === undefined) continue
      const body = answer.body as JsonObject
      const wrong = { ...answer, body: { ...body, result: mutateLeaf(body['result']!, leaf) } }
      assert.notDeepEqual(compareAnswer(expectation, golden.question, wrong), [], `${golden.name}: ${leaf}`)
      tried++
    }
    assert.ok(tried > 1000, `${tried} were tried`)
    t.diagnostic(`${tried} wrong values were noticed`)
  })

  test('every listed difference changes at least one answer', () => {
    const idle = [...countDifferences(results)].filter(([, count]) => count === 0)
    assert.deepEqual(
      idle.map(([name]) => name),
      [],
    )
  })

  test('what is expected fits the published description by itself', (t) => {
    if (!havePublished(t, 'v2')) return
    for (const golden of all.cases) {
      const { expectation } = expectationOf(golden, all)
      if (expectation.kind !== 'answer' || stringifyJson(expectation.result).includes(stringifyJson(anything))) continue
      const body = toNeutral({ ok: true, result: expectation.result })
      assert.deepEqual(contractFaults(golden.question.endpoint!, 200, body), [], golden.name)
    }
  })

  test('every answer fits the published description, in both dialects', async (t) => {
    if (!havePublished(t, 'v2')) return
    const asked = results.flatMap(({ golden, answer }) => (answer === undefined ? [] : [{ golden, answer }]))
    const successes = asked.filter(({ answer }) => answer.status === 200)
    const questions = successes.map(({ golden }) => golden.question)
    const neutral = await askAll(`${service.url}/api/v2`, questions)
    const others = new Map(successes.map(({ golden }, at) => [golden.name, neutral[at]!.body]))
    const found = asked.flatMap(({ golden, answer }) => {
      const ours = toNeutral(answer.body)
      const other = others.get(golden.name) ?? ours
      const lines = contractFaults(golden.question.endpoint ?? '', answer.status, ours)
      // What is equal to an answer that fits does so, too.
      const isSame = withoutMoment(ours) === withoutMoment(other)
      return [...lines, ...(isSame ? [] : ['the dialects differ in more than a word'])].map(
        (line) => `${golden.name}: ${line}`,
      )
    })
    assert.equal(found.length, 0, `${found.length} faults:\n${found.slice(0, 40).join('\n')}`)
  })

  test('GET, POST and JSON-RPC agree', async () => {
    const bases = results.filter(
      ({ golden, outcome }, at) => golden.question.transport === 'get' && at % 12 === 0 && outcome !== 'incomparable',
    )
    for (const { golden, answer } of bases) {
      const { endpoint = '', params } = golden.question
      if (answer!.status !== 200 || !Object.hasOwn(contractParams, endpoint) || golden.note.includes('not exist'))
        continue
      const path = `/${endpoint}`
      const common = { ...golden.question, method: 'POST', query: {} }
      const body = stringifyJson(params)
      const post = await ask(`${service.url}/ton/api/v2`, { ...common, transport: 'post', path, body })
      const request = `{"method":"${endpoint}","params":${body}}`
      const rpc = await ask(`${service.url}/ton/api/v2`, {
        ...common,
        transport: 'rpc',
        path: '/jsonRPC',
        body: request,
      })
      const { result } = answer!.body as JsonObject
      assert.deepEqual((post.body as JsonObject)['result'], result, golden.name)
      assert.deepEqual((rpc.body as JsonObject)['result'], result, golden.name)
    }
  })

  test('nothing went wrong inside', () => {
    // Warnings are about the network, whose rules are newer than the virtual machine's, and about a machine that is busy.
    const errors = service.logLines.filter((line) => !line.includes('"level":"warn"'))
    assert.deepEqual(errors, [])
  })
})

/** An answer without the mark of its call and without the time. */
const withoutMoment = (body: JsonValue): string =>
  stringifyJson({ ...(body as JsonObject), '@extra': '' }).replaceAll(/"timestamp":[0-9]+/g, '')
