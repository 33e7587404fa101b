import { once } from 'node:events'
import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { AnsweredRequest } from '../../src/api/core/Call.ts'
import { createHttpServer, type HttpServer } from '../../src/api/core/createHttpServer.ts'
import type { HttpLimits } from '../../src/api/core/limits.ts'
import { mount } from '../../src/api/core/Mount.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { sample, sampleAtHome, sampleOfOldManner } from './sampleInterface.ts'

export type ServedSample = {
  readonly server: HttpServer
  /** Lines of the log, from warnings on. */
  readonly log: string[]
  /** What the handlers have seen. */
  readonly seen: string[]
  /** What was answered. */
  readonly answered: AnsweredRequest[]
}

/** The sample interfaces on a real port, closed after the test. */
export const serveSample = async (t: TestContext, limits: Partial<HttpLimits> = {}): Promise<ServedSample> => {
  const log: string[] = []
  const seen: string[] = []
  const answered: AnsweredRequest[] = []
  const logger = createLogger({ level: 'warn', format: 'json', colours: false, write: (line) => log.push(line) })
  const context = ({ signal }: { signal: AbortSignal }) => ({ factor: 3n, signal, seen })
  const server = await createHttpServer({
    mounts: [
      mount(sample, context, { checkResults: true }),
      mount(sampleOfOldManner, context),
      mount(sampleAtHome, context),
    ],
    logger,
    host: '127.0.0.1',
    port: 0,
    limits,
    onAnswered: (each) => answered.push(each),
  })
  t.after(() => server.close())
  return { server, log, seen, answered }
}

/** Everything that comes back on a bare connection after these pieces were sent, until it is closed or has been silent. */
export const sendRaw = async (
  port: number,
  pieces: readonly (string | Uint8Array)[],
  silentMs = 10_000,
): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1' })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  for (const piece of pieces) socket.write(piece)
  socket.setTimeout(silentMs, () => socket.destroy())
  await once(socket, 'close')
  return received
}
