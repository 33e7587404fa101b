import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLogger } from './Logger.ts'
import { closeOnSignals, createShutdown } from './Shutdown.ts'

const create = (timeoutMs = 1000) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => void lines.push(line) })
  return { shutdown: createShutdown({ logger, timeoutMs }), lines }
}

test('closes in reverse order of opening, one after the other', async () => {
  const { shutdown } = create()
  const order: string[] = []
  shutdown.add('store', () => order.push('store'))
  shutdown.add('indexer', async () => {
    order.push('indexer closing')
    await sleep(20)
    order.push('indexer closed')
  })
  shutdown.add('server', () => order.push('server'))
  assert.equal(shutdown.signal.aborted, false)
  assert.equal(await shutdown.close('test'), true)
  assert.deepEqual(order, ['server', 'indexer closing', 'indexer closed', 'store'])
  assert.equal(shutdown.signal.aborted, true)
})

test('closing twice closes once', async () => {
  const { shutdown } = create()
  let closed = 0
  shutdown.add('x', () => sleep(10).then(() => closed++))
  assert.deepEqual(await Promise.all([shutdown.close('one'), shutdown.close('two')]), [true, true])
  assert.equal(await shutdown.close('three'), true)
  assert.equal(closed, 1)
})

test('what fails or hangs is named, and the rest still closes', async () => {
  const { shutdown, lines } = create(20)
  const order: string[] = []
  shutdown.add('first', () => order.push('first'))
  shutdown.add('throws', () => {
    throw new Error('will not')
  })
  shutdown.add('rejects', () => Promise.reject(new Error('cannot')))
  shutdown.add('hangs', () => new Promise(() => {}))
  assert.equal(await shutdown.close('test'), false)
  assert.deepEqual(order, ['first'])
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ message, name, error }) => [message, name, error.message]),
    [
      ['close failed', 'hangs', 'Close timed out after 20 ms.'],
      ['close failed', 'rejects', 'cannot'],
      ['close failed', 'throws', 'will not'],
    ],
  )
})

test('what closed by itself is forgotten', async () => {
  const { shutdown } = create()
  const forget = shutdown.add('x', () => assert.fail('closed although forgotten'))
  forget()
  forget()
  assert.equal(await shutdown.close('test'), true)
})

test('what is opened during or after closing is closed too', async () => {
  const { shutdown } = create()
  const order: string[] = []
  shutdown.add('early', () => {
    order.push('early')
    shutdown.add('during', () => order.push('during'))
  })
  await shutdown.close('test')
  shutdown.add('late', () => order.push('late'))
  await shutdown.close('again')
  assert.deepEqual(order, ['early', 'during', 'late'])
})

const createSignals = () => {
  const emitter = new EventEmitter()
  const exits: number[] = []
  return { emitter, exits, source: Object.assign(emitter, { exit: (code: number) => void exits.push(code) }) }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} closes everything and ends with 0`, async () => {
    const { shutdown } = create()
    const { emitter, exits, source } = createSignals()
    let closed = false
    shutdown.add('x', () => {
      closed = true
    })
    closeOnSignals(shutdown, source)
    emitter.emit(signal)
    await sleep(5)
    assert.deepEqual({ closed, exits }, { closed: true, exits: [0] })
  })
}

test('a failed close ends with 1', async () => {
  const { shutdown } = create()
  const { emitter, exits, source } = createSignals()
  shutdown.add('x', () => Promise.reject(new Error('no')))
  closeOnSignals(shutdown, source)
  emitter.emit('SIGTERM')
  await sleep(5)
  assert.deepEqual(exits, [1])
})

test('a second Ctrl-C ends at once, and after the end nobody listens', () => {
  const { shutdown } = create()
  const { emitter, exits, source } = createSignals()
  shutdown.add('x', () => sleep(50))
  const stop = closeOnSignals(shutdown, source)
  emitter.emit('SIGINT')
  assert.deepEqual(exits, [])
  emitter.emit('SIGINT')
  assert.deepEqual(exits, [130])
  stop()
  assert.equal(emitter.listenerCount('SIGINT') + emitter.listenerCount('SIGTERM'), 0)
})
