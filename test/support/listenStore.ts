import { createServerKey } from '../../src/adnl/handshake.ts'
import {
  type LiteFunctions,
  type LiteserverContext,
  LiteserverError,
} from '../../src/devnet/liteserver/LiteFunction.ts'
import { Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import { type LiteserverListener, listenLiteserver } from '../../src/devnet/liteserver/listenLiteserver.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger, type Logger } from '../../src/observe/Logger.ts'

/** A chain that stands still: its time is that of its head, and it takes no messages. */
export const stillContext = (store: ChainStore): LiteserverContext => ({
  store,
  now: () => store.head?.genUtime ?? 0,
  sendMessage: () => Promise.reject(new LiteserverError(0, 'this chain is a recording')),
  vm: undefined,
  // As the recorded node: non-final queries are enabled, and nothing is pending.
  findPending: () => ({ ids: [], findBytes: () => undefined }),
})

const silent = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

export type ListenOverrides = {
  readonly logger?: Logger
  readonly maxConnections?: number
  readonly idleMs?: number
  /** In place of all that it can answer. */
  readonly functions?: LiteFunctions
}

/** The chain of a store on a port of this machine. */
export const listenStore = (
  store: ChainStore,
  { logger = silent, functions, ...more }: ListenOverrides = {},
): Promise<LiteserverListener> =>
  listenLiteserver({
    liteserver: new Liteserver(stillContext(store), { logger, ...(functions && { functions }) }),
    key: createServerKey(new Uint8Array(32).fill(0x51)),
    logger,
    ...more,
  })

/** The same for the time of a test. */
export const listenForTest = async (
  t: { after(ending: () => unknown): void },
  store: ChainStore,
  overrides: ListenOverrides = {},
): Promise<LiteserverListener> => {
  const server = await listenStore(store, overrides)
  t.after(() => server.close())
  return server
}
