import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

const message = (type: string, ...parts: readonly (Buffer | string)[]): Buffer => {
  const payload = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)))
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeUInt32BE(payload.length + 4, 1)
  return Buffer.concat([head, payload])
}

const int16 = (value: number): Buffer => Buffer.from([(value >> 8) & 0xff, value & 0xff])
const int32 = (value: number): Buffer => Buffer.concat([int16(value >> 16), int16(value & 0xffff)])

const column = (name: string, type: number): Buffer =>
  Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(4), int32(-1), int16(0)])
const cell = (text: string): Buffer => Buffer.concat([int32(text.length), Buffer.from(text)])

const READY = message('Z', Buffer.from('I'))
const WELCOME = Buffer.concat([message('R', int32(0)), READY])
const describeVersion = (version: number): Buffer =>
  Buffer.concat([
    message('T', int16(2), column('version', 23), column('standby', 16)),
    message('D', int16(2), cell(String(version)), cell('f')),
    message('C', 'SELECT 1'),
    READY,
  ])
const FAREWELL = message(
  'E',
  'SFATAL',
  'C57P01',
  'Mterminating connection due to unexpected postmaster exit',
  Buffer.alloc(1),
)

/**
 * Speaks just enough of the protocol of PostgreSQL to be asked for its version. Every other connection is told that all is well and,
 * with the same packet, that all is over: as by a server that is killed at that moment. Returns its URL.
 */
export const startDyingServer = async (t: TestContext, version = 180_000): Promise<string> => {
  let connections = 0
  const serve = (socket: Socket): void => {
    const isFirst = connections++ === 0
    let isGreeted = false
    socket.on('error', () => undefined)
    socket.on('data', () => {
      if (isGreeted) {
        socket.write(describeVersion(version))
        return
      }
      isGreeted = true
      if (isFirst) socket.write(WELCOME)
      else socket.end(Buffer.concat([WELCOME, FAREWELL]))
    })
  }
  const server = createServer(serve)
  t.after(() => server.close())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { readonly port: number }
  return `postgres://somebody:secret@127.0.0.1:${port}/none?ssl=0`
}
