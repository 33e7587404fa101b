import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { cocoonOps, readUnregisterProxy, type UnregisterProxyBody } from '../bodies/cocoon.ts'
import { isCall } from '../core/isCall.ts'
import { excesses, isAborted } from './cocoonPatterns.ts'

export type CocoonUnregisterProxyData = UnregisterProxyBody & { readonly root: string | undefined }

/** A proxy left. */
const cocoonUnregisterProxy = blockKind<CocoonUnregisterProxyData>({
  name: 'cocoon_unregister_proxy',
  describe: ({ data: { queryId, seqno, root } }) => ({
    destination: root,
    details: { query_id: String(queryId), seqno, destination: root ?? null },
  }),
})

export const matchCocoonUnregisterProxy: Matcher = {
  name: 'cocoon unregister proxy',
  isAnchor: (block) => isCall(block, cocoonOps.unregisterProxy),
  around: { next: excesses },
  build: (match) => {
    const data = { ...readUnregisterProxy(match.anchor), root: messageOf(match.anchor).destination }
    foldMatch(match, cocoonUnregisterProxy, data, { failed: isAborted(match.anchor) })
  },
}
