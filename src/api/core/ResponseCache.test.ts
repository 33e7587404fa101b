import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CacheKey, type Call, newTrace } from './Call.ts'
import { ResponseCache } from './ResponseCache.ts'

const callWith = (signal = new AbortController().signal): Call => ({
  transport: 'get',
  endpoint: 'sample',
  query: {},
  body: undefined,
  headers: {},
  remoteAddress: '',
  requestId: '',
  receivedAt: 0,
  trace: newTrace(),
  signal,
})

/** Work that is finished by hand. */
const openWork = () => {
  const calls: Call[] = []
  let finish: (text: string) => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  const make = (call: Call): Promise<string> => {
    calls.push(call)
    call.trace.nodes = [3]
    return new Promise((resolve, reject) => {
      finish = resolve
      fail = reject
      call.signal.addEventListener('abort', () => reject(call.signal.reason))
    })
  }
  return { calls, make, finish: (text: string) => finish(text), fail: (error: Error) => fail(error) }
}

const question: CacheKey = { text: 'q', lifetime: 'forever' }

const createAnswers = (maxBytes = 10_000) => {
  const head = { seqno: 7 as number | undefined }
  return { head, answers: new ResponseCache({ maxBytes, findHeadSeqno: () => head.seqno }) }
}

describe('ResponseCache', () => {
  it('keeps answers for as long as they are right', async () => {
    const { answers, head } = createAnswers()
    const [ofHead, ofAll]: CacheKey[] = [
      { text: 'q', lifetime: 'head' },
      { text: 'q', lifetime: 'forever' },
    ]
    await answers.get(ofHead!, callWith(), async () => '7')
    await answers.get(ofAll!, callWith(), async () => 'all')
    assert.deepEqual([answers.find(ofHead!), answers.find(ofAll!)], ['7', 'all'])
    head.seqno = 8
    assert.deepEqual([answers.find(ofHead!), answers.find(ofAll!)], [undefined, 'all'])
    // Where the newest block is not known, nothing is kept that depends on it.
    head.seqno = undefined
    assert.equal(await answers.get(ofHead!, callWith(), async () => 'now'), 'now')
    assert.equal(await answers.get(ofHead!, callWith(), async () => 'then'), 'then')
  })

  it('keeps nothing about a block that is no longer the newest', async () => {
    const { answers, head } = createAnswers()
    const ofHead: CacheKey = { text: 'q', lifetime: 'head' }
    const work = openWork()
    const slow = answers.get(ofHead, callWith(), work.make)
    head.seqno = 8
    work.finish('7')
    assert.equal(await slow, '7')
    assert.equal(answers.find(ofHead), undefined)
    await answers.get(ofHead, callWith(), async () => '8')
    head.seqno = 7
    assert.equal(answers.find(ofHead), undefined)
  })

  it('makes an answer once for all who want it at one time, and keeps it', async () => {
    const { answers } = createAnswers()
    const work = openWork()
    const [first, second, third] = [callWith(), callWith(), callWith()]
    const both = Promise.all([answers.get(question, first, work.make), answers.get(question, second, work.make)])
    work.finish('1')
    assert.deepEqual(await both, ['1', '1'])
    assert.equal(work.calls.length, 1)
    assert.deepEqual([first.trace, second.trace], Array(2).fill({ ...newTrace(), nodes: [3] }))
    assert.equal(await answers.get(question, third, work.make), '1')
    assert.deepEqual(third.trace, { ...newTrace(), isCached: true })
    assert.equal(work.calls.length, 1)
  })

  it('keeps no failures', async () => {
    const { answers } = createAnswers()
    const work = openWork()
    const failed = answers.get(question, callWith(), work.make)
    work.fail(new Error('no'))
    await assert.rejects(failed, /no/)
    const second = answers.get(question, callWith(), work.make)
    work.finish('2')
    assert.equal(await second, '2')
  })

  it('goes on for the others when one leaves, and gives up when the last has left', async () => {
    const { answers } = createAnswers()
    const work = openWork()
    const leaving = [new AbortController(), new AbortController()]
    const waits = leaving.map(({ signal }) => answers.get(question, callWith(signal), work.make))
    for (const wait of waits) wait.catch(() => undefined)
    leaving[0]!.abort(new Error('left'))
    assert.equal(work.calls[0]?.signal.aborted, false)
    leaving[1]!.abort(new Error('left too'))
    assert.equal(work.calls[0]?.signal.aborted, true)
    const next = answers.get(question, callWith(), work.make)
    assert.equal(work.calls.length, 2)
    work.finish('3')
    assert.equal(await next, '3')
    await assert.rejects(waits[1]!, /left too/)
  })

  it('keeps no more than it may', async () => {
    const { answers } = createAnswers(1000)
    const text = 'x'.repeat(200)
    for (const key of ['a', 'b', 'c']) await answers.get({ ...question, text: key }, callWith(), async () => text)
    const call = callWith()
    await answers.get({ ...question, text: 'a' }, call, async () => text)
    assert.equal(call.trace.isCached, false)
  })

  it('forgets everything when told to, what is being made as well', async () => {
    const { answers } = createAnswers()
    const work = openWork()
    const old = answers.get(question, callWith(), work.make)
    answers.clear()
    work.finish('old')
    assert.equal(await old, 'old')
    const call = callWith()
    assert.equal(await answers.get(question, call, async () => 'new'), 'new')
  })
})
