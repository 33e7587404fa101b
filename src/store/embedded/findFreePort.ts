import { createServer } from 'node:net'
import { EmbeddedServerError } from './errors.ts'

/** A port of this machine that nobody listens on at the moment. */
export const findFreePort = (): Promise<number> =>
  new Promise((done, refuse) => {
    const server = createServer()
    server.on('error', (cause) => {
      refuse(
        new EmbeddedServerError(`No port of this machine could be had for the database: ${cause.message}.`, { cause }),
      )
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
