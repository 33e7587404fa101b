import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { UsageError } from '../errors.ts'
import { describeProcess, findListener } from './processes.ts'
import type { ReservedPort } from './ReservedPort.ts'

export type PortRequest = {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The flag of the port, for the advice. */
  readonly flag: string
  /** What a connection gets before the service is ready; default: it is closed. */
  readonly answer?: string
}

const STARTING = JSON.stringify({ ok: false, error: 'The service is starting. Try again in a moment.', code: 503 })

/** What an HTTP client gets before the service is ready. */
export const startingAnswer = [
  'HTTP/1.1 503 Service Unavailable',
  'content-type: application/json',
  'retry-after: 1',
  'connection: close',
  `content-length: ${STARTING.length}`,
  '',
  STARTING,
].join('\r\n')

/** Answers a connection that comes before the service is ready. */
export const answerEarly = (connection: Socket, answer = startingAnswer): void => {
  connection.on('error', () => undefined)
  connection.once('data', () => connection.end(answer))
}

/** Binds a port; refuses one that is in use, and says by which process. */
export const reservePort = async ({ host, port, flag, answer }: PortRequest): Promise<ReservedPort> => {
  const socket = createServer((connection) => {
    if (answer !== undefined) return answerEarly(connection, answer)
    connection.on('error', () => undefined).destroy()
  })
  try {
    // localhost may resolve to several addresses; 127.0.0.1 exists on every machine.
    socket.listen(port, host === 'localhost' ? '127.0.0.1' : host)
    await once(socket, 'listening')
  } catch (error) {
    throw refusal(error as NodeJS.ErrnoException, { host, port, flag })
  }
  return { host, port: (socket.address() as AddressInfo).port, socket, release: () => void socket.close() }
}

/** The same for a port that nobody asked for: if it is in use, a free one will do. */
export const reservePortOrFree = async (request: PortRequest): Promise<ReservedPort> => {
  try {
    return await reservePort(request)
  } catch (error) {
    if (!(error instanceof UsageError) || request.port === 0) throw error
    return reservePort({ ...request, port: 0 })
  }
}

const refusal = ({ code, message }: NodeJS.ErrnoException, { host, port, flag }: PortRequest): UsageError => {
  if (code === 'EADDRINUSE') {
    const pid = findListener(port)
    const holder = pid === undefined ? 'another process' : describeProcess(pid)
    return new UsageError(
      `Port ${port} is in use by ${holder}.`,
      `Use another port with ${flag}, or stop that process.`,
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new UsageError(
      `${host} is not an address of this machine.`,
      `Use another address with ${flag.replace('port', 'host')}.`,
    )
  }
  const reason = code === 'EACCES' ? 'permission denied for the user of this process' : message
  return new UsageError(`Port ${port} on ${host} cannot be opened: ${reason}.`, `Use another port with ${flag}.`)
}
