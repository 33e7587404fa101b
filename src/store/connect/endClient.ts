import type { Duplex } from 'node:stream'
import type pg from 'pg'

/** What the driver's connection has beyond what its types say. */
type OpenedClient = pg.ClientBase & { readonly connection: { readonly stream: Duplex }; end(): Promise<void> }

/** Ends a connection. One whose server does not say goodbye in time is cut, so that nobody waits for a server that hangs. */
export const endClient = async (client: pg.ClientBase, graceMs = 500): Promise<void> => {
  const opened = client as OpenedClient
  const cut = setTimeout(() => opened.connection.stream.destroy(), graceMs)
  try {
    await opened.end()
  } catch {
    // It was lost before.
  } finally {
    clearTimeout(cut)
  }
}
