import { ChainError, NodeUnavailableError } from '../../chain/errors.ts'
import type { LiveChain, LiveNode } from '../../chain/LiveChain.ts'
import type { ProvenNode } from '../ProvenNode.ts'
import type { ServerSession } from '../pool/runOnServers.ts'
import { LiveSession } from './LiveSession.ts'

/** The network as the live interface sees it. */
export const createLiveChain = (node: ProvenNode): LiveChain => ({
  findHead: () => node.trust.findFreshHead(),
  getConsensusSeqno: (signal) => node.trust.getConsensusSeqno(signal),
  withNode: async ({ archival = false, signal }, work) => {
    const options = {
      archival: archival ? ('only' as const) : undefined,
      signal,
      believeRefusals: true,
      // A rival would do all the work again, that of the virtual machine included.
      hedge: false,
    }
    const settle = await node.pool
      .run((session) => attempt(node, session, work), options)
      .catch((cause: unknown) => {
        if (!(cause instanceof NodeUnavailableError)) throw cause
        throw new NodeUnavailableError(cause.message, { archivalOnly: archival, cause })
      })
    return settle()
  },
  send: (message, signal) => node.send(message, signal),
})

/** Only what has to do with the server is a failure of it; all else is the outcome, and is handed out as such. */
const attempt = async <T>(
  node: ProvenNode,
  session: ServerSession,
  work: (node: LiveNode) => Promise<T>,
): Promise<() => T> => {
  try {
    const result = await work(new LiveSession(node.on(session), session))
    return () => result
  } catch (error) {
    if (error instanceof ChainError) throw error
    return () => {
      throw error
    }
  }
}
