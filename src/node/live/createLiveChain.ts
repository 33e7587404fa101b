import type { LiveChain } from '../../chain/LiveChain.ts'
import type { ProvenNode } from '../ProvenNode.ts'
import { LiveSession } from './LiveSession.ts'

/** The network as the live interface sees it. */
export const createLiveChain = (node: ProvenNode): LiveChain => ({
  findHead: () => node.trust.findFreshHead(),
  findConsensusSeqno: () => node.pool.consensusSeqno,
  withNode: ({ archival, signal }, work) =>
    // A rival would do all the work again, that of the virtual machine included.
    node.pool.run((session) => work(new LiveSession(node.on(session), session)), {
      archival: archival === true ? 'only' : undefined,
      signal,
      hedge: false,
    }),
  send: (message, signal) => node.send(message, signal),
})
