import { createServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { DapSession, type DebuggedRun } from '../../debug/dap/DapSession.ts'
import { encodeMessage, readRequests } from '../../debug/dap/messages.ts'

type Ends = { readonly input: AsyncIterable<Uint8Array | string>; write(text: string): void }

/** Speaks the Debug Adapter Protocol with an editor until it leaves. */
export const serveDap = async (run: DebuggedRun, { input, write }: Ends): Promise<void> => {
  let seq = 0
  const session = new DapSession(run, (message) => write(encodeMessage(++seq, message)))
  for await (const request of readRequests(input)) {
    await session.handle(request)
    if (session.isOver) return
  }
}

/** The same with the first editor that connects to a port of this machine. */
export const listenDap = async (
  run: DebuggedRun,
  port: number,
  { signal, onListening }: { readonly signal: AbortSignal; onListening(port: number): void },
): Promise<void> => {
  const server = createServer()
  try {
    const socket = await new Promise<Duplex | undefined>((done, fail) => {
      server.once('connection', done)
      server.once('error', fail)
      signal.addEventListener('abort', () => done(undefined), { once: true })
      server.listen(port, '127.0.0.1', () => {
        const address = server.address()
        onListening(typeof address === 'object' && address !== null ? address.port : port)
      })
    })
    if (socket === undefined) return
    await serveDap(run, { input: socket, write: (text) => socket.write(text) })
    socket.end()
  } finally {
    server.close()
  }
}
