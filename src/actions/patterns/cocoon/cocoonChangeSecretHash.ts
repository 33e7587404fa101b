import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readSecretHash } from '../bodies/cocoon.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, toldProxy } from './cocoonPatterns.ts'

export type CocoonChangeSecretHashData = Command & { readonly hash: bigint; readonly client: string | undefined }

/** A client goes by another secret from now on. */
const cocoonChangeSecretHash = blockKind<CocoonChangeSecretHashData>({
  name: 'cocoon_client_change_secret_hash',
  describe: ({ data: { queryId, hash, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      new_secret_hash: hash.toString(16),
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonChangeSecretHash: Matcher = {
  name: 'cocoon change secret hash',
  isAnchor: (block) => isCall(block, cocoonOps.changeSecretHash),
  around: toldProxy,
  build: (match) => {
    const data = { ...readSecretHash(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonChangeSecretHash, data, { failed: isAborted(match.anchor) })
  },
}
