import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeInterface } from '../../../src/api/core/openApi.ts'
import { v3 } from '../../../src/api/v3/index.ts'
import { havePublished, readPublished } from '../../support/openApiCheck.ts'
import type { Json } from '../../support/v3Client.ts'
import { compareDescriptions, type Description, listAdditions } from './compareDescriptions.ts'
import { descriptionAdditions, descriptionDifferences } from './differences.ts'
import { explainLines } from './explainLines.ts'

const ours = JSON.parse(JSON.stringify(describeInterface(v3))) as Description

const published = (): Description => readPublished('v3')!.document

describe('our description of v3 against the published one', () => {
  test('has every path, parameter, status and member of it, with types that fit', (t) => {
    if (!havePublished(t, 'v3')) return
    const description = published()
    explainLines(compareDescriptions(description, ours, v3.prefix), descriptionDifferences)
    const operations = Object.values(description.paths).flatMap((methods) => Object.keys(methods as object))
    assert.ok(operations.length >= 41, `there are ${operations.length}`)
    t.diagnostic(`${operations.length} published operations, ${descriptionDifferences.length} listed differences`)
  })

  test('what it has beyond is listed', (t) => {
    if (!havePublished(t, 'v3')) return
    explainLines(listAdditions(published(), ours, v3.prefix), descriptionAdditions)
  })

  test('the comparison sees what is missing, and what has another type', (t) => {
    if (!havePublished(t, 'v3')) return
    const broken = structuredClone(ours) as { paths: Json; components: Json }
    const { parameters } = broken.paths['/api/v3/transactions'].get
    parameters.find(({ name }: Json) => name === 'limit').schema.maximum = 100
    parameters.splice(
      parameters.findIndex(({ name }: Json) => name === 'hash'),
      1,
    )
    delete broken.paths['/api/v3/vesting']
    delete broken.components.schemas.Message.properties.bounce
    broken.components.schemas.Block.properties.gen_utime = { type: 'integer' }
    const seen = new Set(compareDescriptions(published(), ours, v3.prefix))
    const found = compareDescriptions(published(), broken as Description, v3.prefix)
    assert.deepEqual(
      found.filter((line) => !seen.has(line)),
      [
        'Transaction.in_msg.bounce: missing',
        'Message.bounce: missing',
        'Block.gen_utime: is string, ours integer',
        'get /transactions ? hash: missing',
        'get /transactions ? limit: maximum is 1000, ours 100',
        'get /vesting: missing',
      ],
    )
  })
})
