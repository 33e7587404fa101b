import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sample } from '../../../test/support/sampleInterface.ts'
import { createLogger } from '../../observe/Logger.ts'
import { createHttpServer } from './createHttpServer.ts'
import { createLoadShedders } from './LoadShedder.ts'
import { mount } from './Mount.ts'
import { RequestScheduler } from './RequestScheduler.ts'

const spin = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('work begins in the order in which it came, some of it in each turn of the event loop', async () => {
  const scheduler = new RequestScheduler()
  let turn = 0
  let isCounting = true
  const count = (): void => {
    turn++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const begun: number[] = []
  const work = async (k: number): Promise<number> => {
    await scheduler.begin()
    begun.push(k)
    // A microtask runs in the same turn and counts towards it.
    await undefined
    spin(3)
    return turn
  }
  // As requests are read: all in one turn, and each does what it can before the next is read.
  const read = (k: number) => new Promise<number>((done) => setImmediate(() => void work(k).then(done)))
  const begunIn = await Promise.all(Array.from({ length: 10 }, (_, k) => read(k)))
  isCounting = false
  assert.deepEqual(
    begun,
    Array.from({ length: 10 }, (_, k) => k),
  )
  assert.equal(new Set(begunIn.slice(1)).size, 9, `${begunIn}`)
})

test('work goes on while requests keep coming in one turn', async () => {
  let now = 0
  const scheduler = new RequestScheduler(() => now)
  let isEnded = false
  setImmediate(() => {
    isEnded = true
  })
  assert.equal(scheduler.begin(), undefined)
  now += 3
  const begun: string[] = []
  for (const name of ['first', 'second']) void scheduler.begin()!.then(() => begun.push(`${name}, ${isEnded}`))
  scheduler.noteRequest()
  await undefined
  assert.deepEqual(begun, [])
  now += 10
  // The second comes when others have had as much time again.
  for (let k = 0; k < 2; k++) scheduler.noteRequest()
  await undefined
  assert.deepEqual(begun, ['first, false'])
  now += 1
  scheduler.noteRequest()
  await undefined
  assert.deepEqual(begun, ['first, false', 'second, false'])
})

test('a new connection does not wait for all earlier requests', async (t) => {
  const multiply = () => {
    spin(2)
    return { factor: 3n, signal: new AbortController().signal, seen: [] }
  }
  const server = await createHttpServer({
    mounts: [mount(sample, multiply, { workOf: ({ name }) => (name === 'multiply' ? 'live' : undefined) })],
    logger: createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined }),
    host: '127.0.0.1',
    port: 0,
    shedders: createLoadShedders(),
  })
  t.after(() => server.close())
  let ended: string[] = []
  const open = async () => {
    const socket = connect(server.port, '127.0.0.1')
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Awaited<ReturnType<typeof open>>, path: string, name: string): Promise<void> => {
    socket.write(`GET /sample/${path} HTTP/1.1\r\nhost: here\r\n\r\n`)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1.1 200 /)
    ended.push(name)
  }
  const cheap = `echo?address=0:${'ab'.repeat(32)}`
  const isSpread = async (): Promise<boolean> => {
    ended = []
    const sockets = await Promise.all(Array.from({ length: 60 }, open))
    // The server has accepted them all.
    await Promise.all(sockets.map((socket) => ask(socket, cheap, 'first')))
    const asked = sockets.map((socket) => ask(socket, 'multiply?value=2', 'before'))
    const connected = Array.from({ length: 10 }, async () => ask(await open(), cheap, 'new'))
    await Promise.all([...asked, ...connected])
    return ended.lastIndexOf('new') < ended.lastIndexOf('before')
  }
  // On a busy machine to read the requests may take so long that they are worked on meanwhile.
  for (let attempt = 1; attempt < 10; attempt++) if (await isSpread()) return
  assert.ok(await isSpread(), ended.join(' '))
})
