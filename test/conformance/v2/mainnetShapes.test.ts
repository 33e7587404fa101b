import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { readFixture } from '../../support/fixtures.ts'
import { missingRecordings, parseAnswer } from '../../support/goldenCases.ts'
import { ask, questionOf } from '../../support/goldenQuestion.ts'
import { startV2Localnet } from '../../support/v2Localnet.ts'
import { compareShapes } from './compareShapes.ts'
import { shapeDifferences } from './differences.ts'
import { findStandIn } from './standIns.ts'

const folder = 'mainnet/api-v2'

type Recording = {
  readonly file: string
  readonly method: string
  readonly params: JsonObject
  readonly result: JsonValue
}

const readText = (name: string): string => Buffer.from(readFixture(`${folder}/${name}`)).toString('utf8')

const readRecordings = (): Recording[] => {
  const index = parseAnswer(readText('index.json')) as readonly { file: string; method: string }[]
  return index
    .filter(({ file }) => file !== 'asserted-behaviour.json')
    .flatMap(({ file, method }) => {
      const { request, response } = parseAnswer(readText(file)) as { request: JsonObject; response: JsonValue }
      const { params } = request as { params?: JsonObject }
      // Some hold the result only, one several of them.
      const results = Array.isArray(response)
        ? response
        : [isJsonObject(response) ? (response['result'] ?? response) : response]
      return (results as readonly JsonValue[]).map((result) => ({ file, method, params: params ?? {}, result }))
    })
}

describe('recorded answers of the main network', { skip: missingRecordings(folder) }, () => {
  test('ours to the same kind of question have the same members, types and encodings', async (t) => {
    const recordings = readRecordings()
    assert.ok(recordings.length >= 60, `there are ${recordings.length}`)
    const service = await startV2Localnet()
    t.after(() => service.close())
    const used = new Set<string>()
    const found: string[] = []
    for (const { file, method, params, result } of recordings) {
      const standIn = findStandIn(method, params, result)
      assert.ok(standIn !== undefined, `${file}: there is nothing like ${method}`)
      const answer = await ask(`${service.url}/ton/api/v2`, questionOf('rpc', standIn.endpoint, standIn.params))
      if (answer.status !== 200) {
        found.push(`${file}: ${JSON.stringify(answer.body)}`)
        continue
      }
      const ours = (answer.body as JsonObject)['result']
      for (const line of compareShapes(result, ours, `${standIn.endpoint}: result`)) {
        const listed = shapeDifferences.find(({ lines }) => lines.test(line))
        if (listed === undefined) found.push(`${file}: ${line}`)
        else used.add(listed.reason)
      }
    }
    assert.deepEqual(found, [])
    assert.deepEqual(
      shapeDifferences.map(({ reason }) => reason).filter((reason) => !used.has(reason)),
      [],
      'these listed differences are no longer needed',
    )
    t.diagnostic(`${recordings.length} recorded answers are of the shape of ours`)
  })
})
