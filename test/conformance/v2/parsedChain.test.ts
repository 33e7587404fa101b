import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { JsonObject } from '../../../src/api/core/json/parseJson.ts'
import { readFixture, readFixtureJson } from '../../support/fixtures.ts'
import { askAll, questionOf } from '../../support/goldenQuestion.ts'
import { startV2Localnet } from '../../support/v2Localnet.ts'
import type { V2Service } from '../../support/v2Service.ts'

/** A block of the recorded network, as parsed by an independent library. */
type ParsedBlock = {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly gen_utime: number
  readonly start_lt: string
  readonly end_lt: string
}

type ParsedMessage = { readonly type: string; readonly src: string; readonly dest: string; readonly created_lt: string }

type ParsedTransaction = {
  readonly block: string
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly in_msg?: ParsedMessage
}

/** Every so manieth is asked for: all of them take minutes. */
const blockStride = 11
const messageStride = 17

const toBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

const placeOf = ({ workchain, shard }: ParsedBlock): JsonObject => ({
  workchain,
  shard: BigInt.asIntN(64, BigInt(`0x${shard}`)).toString(),
})

const every = <T>(items: readonly T[], stride: number): T[] => items.filter((_, at) => at % stride === 0)

describe('the recorded network as another library reads it', () => {
  const { blocks } = readFixtureJson<{ blocks: ParsedBlock[] }>('localnet/blocks/index.json')
  const lines = Buffer.from(readFixture('localnet/transactions.jsonl')).toString('utf8').trim().split('\n')
  const transactions = lines.map((line) => JSON.parse(line) as ParsedTransaction)
  const asked = every(blocks, blockStride)
  let service: V2Service
  before(async () => {
    service = await startV2Localnet()
  })
  after(() => service.close())

  const askResults = async (endpoint: string, params: readonly JsonObject[]): Promise<JsonObject[]> => {
    const questions = params.map((each) => questionOf('get', endpoint, each))
    const answers = await askAll(`${service.url}/api/v2`, questions)
    return answers.map(({ status, body }, at) => {
      assert.equal(status, 200, `${endpoint} ${JSON.stringify(params[at])}: ${JSON.stringify(body)}`)
      return (body as { result: JsonObject }).result
    })
  }

  test('blocks are found by number and by the lt at both ends, and have these headers', async () => {
    const bySeqno = await askResults(
      'lookupBlock',
      asked.map((block) => ({ ...placeOf(block), seqno: block.seqno })),
    )
    const headers = await askResults(
      'getBlockHeader',
      asked.map((block) => ({ ...placeOf(block), seqno: block.seqno })),
    )
    // The first block of a chain is not found by its lt.
    const later = asked.filter(({ seqno }) => seqno > 1)
    const byStart = await askResults(
      'lookupBlock',
      later.map((block) => ({ ...placeOf(block), lt: block.start_lt })),
    )
    const byEnd = await askResults(
      'lookupBlock',
      later.map((block) => ({ ...placeOf(block), lt: block.end_lt })),
    )
    const idOf = (block: ParsedBlock): JsonObject => ({
      '@type': 'chain.blockIdExt',
      ...placeOf(block),
      seqno: block.seqno,
      root_hash: toBase64(block.root_hash),
      file_hash: toBase64(block.file_hash),
    })
    assert.deepEqual(bySeqno, asked.map(idOf))
    assert.deepEqual(byStart, later.map(idOf))
    assert.deepEqual(byEnd, later.map(idOf))
    assert.deepEqual(
      headers.map(({ id, start_lt, end_lt, gen_utime }) => ({ id, start_lt, end_lt, gen_utime })),
      asked.map((block) => {
        const { start_lt, end_lt, gen_utime } = block
        return { id: idOf(block), start_lt, end_lt, gen_utime }
      }),
    )
  })

  test('blocks have these transactions', async () => {
    const params = asked.map((block) => ({ ...placeOf(block), seqno: block.seqno, count: 1000 }))
    const lists = await askResults('getBlockTransactions', params)
    const keys = lists.map((list) =>
      (list['transactions'] as readonly ParsedTransaction[])
        .map(({ account, lt, hash }) => `${account} ${lt} ${hash}`)
        .sort(),
    )
    const expected = asked.map(({ workchain, shard, seqno }) =>
      transactions
        .filter(({ block }) => block === `${workchain}_${shard}_${seqno}`)
        .map(({ account, lt, hash }) => `${account} ${lt} ${toBase64(hash)}`)
        .sort(),
    )
    assert.deepEqual(keys, expected)
  })

  test('messages lead to the transactions that received them', async (t) => {
    const internal = transactions.filter(({ in_msg }) => in_msg?.type === 'internal')
    const some = every(internal, messageStride)
    const params = some.map(({ in_msg }) => {
      const { src, dest, created_lt } = in_msg!
      return { source: src, destination: dest, created_lt }
    })
    const located = await askResults('tryLocateResultTx', params)
    const hashes = located.map(({ transaction_id }) => (transaction_id as { hash: string }).hash)
    assert.deepEqual(
      hashes,
      some.map(({ hash }) => toBase64(hash)),
    )
    t.diagnostic(`${asked.length} blocks and ${some.length} messages were asked for`)
  })
})
