import assert from 'node:assert/strict'
import type { Worker } from 'node:cluster'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { tempFolder } from '../../../../test/support/tempFolder.ts'
import { watchHandedConnections } from './WorkerCrew.ts'

const WORKER = `
  require('node:http').createServer((_, answer) => answer.end('well')).listen({ port: 0, host: '127.0.0.1' })
  process.on('disconnect', () => process.exit(0))
`

const startWorker = async (t: TestContext): Promise<{ worker: Worker; port: number; reset: () => number }> => {
  const exec = join(tempFolder(t), 'worker.cjs')
  writeFileSync(exec, WORKER)
  cluster.setupPrimary({ exec, execArgv: [] })
  const worker = cluster.fork()
  t.after(() => worker.process.kill('SIGKILL'))
  const reset = watchHandedConnections(worker)
  const [{ port }] = (await once(worker, 'listening')) as [{ port: number }]
  return { worker, port, reset }
}

const ask = (t: TestContext, port: number): { readonly socket: Socket; readonly outcome: Promise<string> } => {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const outcome = new Promise<string>((done) => {
    socket.on('data', () => done('answered'))
    socket.on('error', (error: NodeJS.ErrnoException) => done(String(error.code)))
    socket.on('close', () => done('closed'))
  })
  return { socket, outcome }
}

test('a connection that was handed to a worker which dies before it takes it is reset, and no other', async (t) => {
  const { worker, port, reset } = await startWorker(t)
  const served = ask(t, port)
  assert.equal(await served.outcome, 'answered')
  process.kill(worker.process.pid!, 'SIGSTOP')
  const handed = ask(t, port)
  await once(handed.socket, 'connect')
  assert.equal(await Promise.race([handed.outcome, delay(300, 'waits')]), 'waits')
  process.kill(worker.process.pid!, 'SIGKILL')
  await once(worker, 'exit')
  // Nobody else would ever end it.
  assert.equal(await Promise.race([handed.outcome, delay(300, 'waits')]), 'waits')
  assert.equal(reset(), 1)
  assert.equal(await Promise.race([handed.outcome, delay(5000, 'waits')]), 'ECONNRESET')
  assert.equal(reset(), 0)
})

test('connections that a worker has taken are its own', async (t) => {
  const { port, reset } = await startWorker(t)
  const clients = Array.from({ length: 20 }, () => ask(t, port))
  assert.deepEqual(new Set(await Promise.all(clients.map(({ outcome }) => outcome))), new Set(['answered']))
  assert.equal(reset(), 0)
})
