import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { cocoonOps, readQueryId } from '../bodies/cocoon.ts'
import { isCall } from '../core/isCall.ts'
import { excesses, isAborted } from './cocoonPatterns.ts'

export type CocoonRegisterProxyData = { readonly queryId: bigint; readonly root: string | undefined }

/** A proxy joined. */
const cocoonRegisterProxy = blockKind<CocoonRegisterProxyData>({
  name: 'cocoon_register_proxy',
  describe: ({ data: { queryId, root } }) => ({
    destination: root,
    details: { query_id: String(queryId), destination: root ?? null },
  }),
})

export const matchCocoonRegisterProxy: Matcher = {
  name: 'cocoon register proxy',
  isAnchor: (block) => isCall(block, cocoonOps.registerProxy),
  around: { next: excesses },
  build: (match) => {
    const data = { queryId: readQueryId(match.anchor), root: messageOf(match.anchor).destination }
    foldMatch(match, cocoonRegisterProxy, data, { failed: isAborted(match.anchor) })
  },
}
