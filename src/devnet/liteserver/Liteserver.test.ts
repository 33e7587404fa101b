import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stillContext } from '../../../test/support/listenStore.ts'
import { TinyChain } from '../../../test/support/TinyChain.ts'
import { decodeLiteAnswer, encodeLiteQuery, type LiteCall, type LiteFunctionName } from '../../codec/tl/liteQuery.ts'
import { encodeTlObject } from '../../codec/tl/tlObject.ts'
import { createLogger } from '../../observe/Logger.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { fromHex } from '../../primitives/hex.ts'
import { type LiteFunctions, LiteserverError } from './LiteFunction.ts'
import { Liteserver } from './Liteserver.ts'

const setUp = (blocks: number, more: { functions?: LiteFunctions; timeLimitMs?: number } = {}) => {
  const chain = new TinyChain()
  for (let k = 0; k < blocks; k++) chain.add()
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', format: 'json', colours: false, write: (line) => lines.push(line) })
  return { chain, lines, liteserver: new Liteserver(stillContext(chain.store), { logger, ...more }) }
}

const GET_TIME = encodeLiteQuery({ call: { kind: 'liteServer.getTime' } })
const GET_INFO: LiteCall = { kind: 'liteServer.getMasterchainInfo' }

const waitFor = (seqno: number, timeoutMs: number): Uint8Array =>
  encodeLiteQuery({ wait: { seqno, timeoutMs }, call: GET_INFO })

/** What a server said: the last block, or its error. */
const read = (bytes: Uint8Array): number | string => {
  const answer = decodeLiteAnswer('liteServer.getMasterchainInfo', bytes)
  return answer.ok ? answer.result.last.seqno : `${answer.error.code} ${answer.error.message}`
}

const readError = (bytes: Uint8Array, kind: LiteFunctionName = 'liteServer.getTime'): string => {
  const answer = decodeLiteAnswer(kind, bytes)
  assert.ok(!answer.ok, 'expected an error, but got a result')
  return `${answer.error.code} ${answer.error.message}`
}

describe('Liteserver', () => {
  it('says of bytes that are no request what a node says', async () => {
    const { liteserver, lines } = setUp(1)
    const id = '00'.repeat(64)
    const getShardInfo = `25f4a246ffffffff000000000000008001000000${id}00000000`
    const cases: [name: string, hex: string, expected: string][] = [
      ['nothing', '', '0 Not enough data to read at 0'],
      ['three bytes', '345aad', '0 Not enough data to read at 0'],
      ['an unknown constructor', 'deadbeef', '0 Unknown constructor found 0xefbeadde at 4'],
      ['a small unknown constructor', '01000000', '0 Unknown constructor found 0x00000001 at 4'],
      ['a type in place of a function', '67b1cdb7', '0 Unknown constructor found 0xb7cdb167 at 4'],
      ['a function of the transport', `9a2b084d${'00'.repeat(8)}`, '0 Unknown constructor found 0x4d082b9a at 4'],
      ['a request cut short', '0dcf7763ffffffff000000000000008001000000', '0 Not enough data to read at 20'],
      ['bytes behind a request', '345aad1600000000', '0 Too much data to fetch at 4'],
      ['bytes behind queryPrefix', '86e6d372345aad16', '0 Too much data to fetch at 4'],
      ['a prefix cut short', '92b8eaba01000000', '0 Not enough data to read at 8'],
      ['a prefix with nothing behind', '92b8eaba01000000e8030000', '0 Not enough data to read at 0'],
      ['a second prefix', `${'92b8eaba01000000e8030000'.repeat(2)}345aad16`, '0 Too much data to fetch at 12'],
      ['no Bool', `${getShardInfo}000000000000008001000000`, '0 Bool expected at 100'],
      ['too long a vector', '62b622d1ffffff7f', '0 Wrong vector length at 8'],
      ['a vector cut short', `62b622d102000000${'00'.repeat(36)}`, '0 Not enough data to read at 40'],
      ['numbers cut short', `191c112a${'00'.repeat(84)}0200000005000000`, '0 Not enough data to read at 96'],
    ]
    for (const [name, hex, expected] of cases) {
      assert.equal(readError(await liteserver.answer(fromHex(hex))), expected, name)
    }
    assert.deepEqual(lines, [])
  })

  it('does not know requests that stand for others, or that nobody here answers', async () => {
    const { liteserver } = setUp(1, { functions: {} })
    const nested = encodeTlObject({ kind: 'liteServer.query', data: GET_TIME })
    const wait = encodeTlObject({ kind: 'liteServer.waitMasterchainSeqno', seqno: 1, timeoutMs: 1 })
    for (const data of [GET_TIME, nested, fromHex('86e6d372'), concatBytes([wait, wait])]) {
      assert.equal(readError(await liteserver.answer(data)), '621 unknown query')
    }
  })

  it('waits for a block before it answers, and not for one too far ahead', async () => {
    const { chain, liteserver } = setUp(3)
    assert.equal(read(await liteserver.answer(waitFor(0, 1000))), 3)
    assert.equal(read(await liteserver.answer(waitFor(3, -5))), 3)
    assert.equal(read(await liteserver.answer(waitFor(4, 0))), '652 timeout')
    assert.equal(read(await liteserver.answer(waitFor(4, -1))), '652 timeout')
    assert.equal(read(await liteserver.answer(waitFor(104, 1000))), '651 too big masterchain block seqno')
    assert.equal(read(await liteserver.answer(waitFor(-1, 1000))), '651 too big masterchain block seqno')
    const startedAt = performance.now()
    assert.equal(read(await liteserver.answer(waitFor(103, 30))), '652 timeout')
    assert.ok(performance.now() - startedAt >= 25)
    const waiting = liteserver.answer(waitFor(5, 60_000))
    chain.add()
    chain.add()
    assert.equal(read(await waiting), 5)
  })

  it('ends a wait when nobody waits for it any more', async () => {
    const { liteserver } = setUp(1)
    const controller = new AbortController()
    const waiting = liteserver.answer(waitFor(2, 10_000), controller.signal)
    controller.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
    await assert.rejects(liteserver.answer(waitFor(2, 10_000), controller.signal), /gone/)
  })

  it('gives up on work that takes too long', async () => {
    const { liteserver } = setUp(1, {
      functions: { 'liteServer.getTime': () => new Promise(() => undefined) },
      timeLimitMs: 20,
    })
    assert.equal(readError(await liteserver.answer(GET_TIME)), '-503 timeout')
  })

  it('logs a bug once with its stack, and tells the client nothing of it', async () => {
    const failures: LiteFunctions = {
      'liteServer.getTime': () => {
        throw new TypeError('a secret')
      },
      'liteServer.getVersion': async () => Promise.reject(new RangeError('another secret')),
    }
    const { liteserver, lines } = setUp(1, { functions: failures })
    assert.equal(readError(await liteserver.answer(GET_TIME)), '602 internal error')
    const version = encodeLiteQuery({ call: { kind: 'liteServer.getVersion' } })
    assert.equal(readError(await liteserver.answer(version), 'liteServer.getVersion'), '602 internal error')
    assert.equal(lines.length, 2)
    assert.match(lines[0]!, /"level":"error".*request failed.*liteServer\.getTime.*a secret.*Liteserver\.test/)
    assert.match(lines[1]!, /another secret/)
  })

  it('passes on a refusal as it is', async () => {
    const refuse = (): never => {
      throw new LiteserverError(-701, 'not accepted')
    }
    const { liteserver, lines } = setUp(1, { functions: { 'liteServer.getTime': refuse } })
    assert.equal(readError(await liteserver.answer(GET_TIME)), '-701 not accepted')
    assert.deepEqual(lines, [])
  })
})
