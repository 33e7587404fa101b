import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, readClientRegister } from '../bodies/cocoon.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, toldProxy } from './cocoonPatterns.ts'

export type CocoonClientRegisterData = Command & { readonly nonce: bigint; readonly client: string | undefined }

/** A client made itself known to its proxy. */
const cocoonClientRegister = blockKind<CocoonClientRegisterData>({
  name: 'cocoon_client_register',
  describe: ({ data: { queryId, nonce, excessTo, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      nonce: String(nonce),
      source: excessTo ?? null,
      destination: client ?? null,
    },
  }),
})

export const matchCocoonClientRegister: Matcher = {
  name: 'cocoon client register',
  isAnchor: (block) => isCall(block, cocoonOps.clientRegister),
  around: toldProxy,
  build: (match) => {
    const data = { ...readClientRegister(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonClientRegister, data, { failed: isAborted(match.anchor) })
  },
}
