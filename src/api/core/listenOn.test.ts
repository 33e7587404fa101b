import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createConnection, createServer as createNetServer, type Server } from 'node:net'
import { test } from 'node:test'
import { listenOn } from './listenOn.ts'

const bind = async (): Promise<Server> => {
  const socket = createNetServer((connection) => connection.destroy()).listen(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port

test('a server answers on all sockets that it is given, and waits for the requests of all when it closes', async () => {
  const sockets = [await bind(), await bind(), await bind()]
  const ports = sockets.map(portOf)
  const waiting: (() => void)[] = []
  let arrived: (() => void) | undefined
  const server = createServer((request, response) => {
    if (request.url === '/') return void response.end('answer')
    waiting.push(() => response.end('late'))
    arrived?.()
  })
  const closeCopies = listenOn(server, sockets)
  await new Promise<void>((done) => server.listen(0, done))
  for (const port of ports) assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'answer')

  const slow = new Promise<void>((done) => {
    arrived = done
  })
  const answer = fetch(`http://127.0.0.1:${ports[2]}/slow`)
  await slow
  let isClosed = false
  const closed = Promise.all([closeCopies(), new Promise((done) => server.close(done))]).then(() => {
    isClosed = true
  })
  for (const port of ports) {
    const refused = createConnection(port, '127.0.0.1')
    await assert.rejects(once(refused, 'connect'), { code: 'ECONNREFUSED' })
  }
  assert.equal(isClosed, false)
  for (const finish of waiting) finish()
  assert.equal(await (await answer).text(), 'late')
  server.closeIdleConnections()
  await closed
})
