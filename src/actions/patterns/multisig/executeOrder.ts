import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { formatPlainBoc } from '../../rows/format.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { type ExecuteBody, multisigOps, readExecute } from '../bodies/multisig.ts'
import { isCall } from '../core/isCall.ts'

export type ExecuteOrderData = ExecuteBody & {
  readonly orderAddress: string | undefined
  readonly multisig: string | undefined
  readonly signers: readonly string[]
}

/** A multisig wallet does what was signed. */
const multisigExecute = blockKind<ExecuteOrderData>({
  name: 'multisig_execute',
  describe: ({ data }) => ({
    source: data.orderAddress,
    destination: data.multisig,
    moreAccounts: data.signers,
    details: {
      query_id: String(data.queryId),
      order_seqno: String(data.orderSeqno),
      expiration_date: data.expiresAt,
      approvals_num: data.approvals,
      signers_hash: data.signersHash,
      order_boc: formatPlainBoc(data.order),
      source: data.orderAddress ?? null,
      destination: data.multisig ?? null,
    },
  }),
})

export const matchMultisigExecute: Matcher = {
  name: 'multisig_execute',
  isAnchor: (block) => isCall(block, multisigOps.execute),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source: orderAddress, destination: multisig } = messageOf(anchor)
    const { signers } = expectPresent(facts.of(orderAddress).multisigOrder, 'order of a multisig wallet')
    const data = { ...readExecute(anchor), orderAddress, multisig, signers }
    foldBlocks(multisigExecute, data, [anchor], { failed: anchor.failed })
  },
}
