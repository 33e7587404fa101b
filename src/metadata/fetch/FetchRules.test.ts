import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { type TestContext, test } from 'node:test'
import { createResolve } from './FetchRules.ts'

type Records = Readonly<Record<string, { readonly A?: string[]; readonly AAAA?: string[] }>>

const RESPONSE = 0x8180
const NO_SUCH_NAME = 3

/** A name server with these records (RFC 1035). It gives 16 bytes, in hex, for AAAA. */
const serveNames = async (t: TestContext, records: Records): Promise<{ place: string; questions: string[] }> => {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let size = query[at]!; size > 0; size = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + size))
      at += 1 + size
    }
    const question = query.subarray(12, at + 5)
    const type = query.readUInt16BE(at + 1)
    const name = labels.join('.')
    questions.push(name)
    const found = records[name]
    const values = (type === 1 ? found?.A : found?.AAAA) ?? []
    const answers = values.map((value) => {
      const content = type === 1 ? Buffer.from(value.split('.').map(Number)) : Buffer.from(value, 'hex')
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 1, 0, content.length])
      return Buffer.concat([head, content])
    })
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(RESPONSE | (found === undefined ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([header, question, ...answers]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => socket.close())
  return { place: `127.0.0.1:${socket.address().port}`, questions }
}

test('names are asked for at name servers alone', async (t) => {
  const six = '20010db8000000000000000000000001'
  const { place, questions } = await serveNames(t, {
    'both.test': { A: ['10.1.2.3', '8.8.8.8'], AAAA: [six] },
    'six.test': { AAAA: [six] },
    'none.test': {},
  })
  const resolve = createResolve([place])
  const { signal } = new AbortController()
  assert.deepEqual(await resolve('both.test', signal), ['10.1.2.3', '8.8.8.8', '2001:db8::1'])
  assert.deepEqual(await resolve('six.test', signal), ['2001:db8::1'])
  await assert.rejects(resolve('none.test', signal), { code: 'ENODATA' })
  await assert.rejects(resolve('unknown.test', signal), { code: 'ENOTFOUND' })
  // What this machine calls itself is not known: the server was asked.
  await assert.rejects(resolve('localhost', signal), { code: 'ENOTFOUND' })
  assert.ok(questions.includes('localhost'))
})
