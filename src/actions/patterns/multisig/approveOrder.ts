import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, oneOf } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { findApproverIndex, multisigOps, readRejection } from '../bodies/multisig.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'

export type ApproveOrderData = {
  readonly signer: string | undefined
  readonly order: string | undefined
  /** -1 where the message does not say. */
  readonly signerIndex: number
  /** 0 where it was accepted. */
  readonly exitCode: number
  readonly signers: readonly string[]
}

const BY_COMMENT = -1

/** Somebody signed an order. */
const multisigApprove = blockKind<ApproveOrderData>({
  name: 'multisig_approve',
  describe: ({ data: { signer, order, signerIndex, exitCode, signers } }) => ({
    source: signer,
    destination: order,
    moreAccounts: signers,
    details: {
      signer_index: signerIndex,
      exit_code: exitCode,
      source: signer ?? null,
      destination: order ?? null,
    },
  }),
})

const isCommented = (block: Block): boolean => block.is(tonTransfer) && block.data.comment === 'approve'

export const matchMultisigApprove: Matcher = {
  name: 'multisig_approve',
  isAnchor: (block) => isCall(block, multisigOps.approve) || isCommented(block),
  around: { next: oneOf([call(multisigOps.accepted), call(multisigOps.rejected)]) },
  build: ({ anchor, others }, { facts }) => {
    const { source: signer, destination: order } = messageOf(anchor)
    const { signers } = expectPresent(facts.of(order).multisigOrder, 'order of a multisig wallet')
    const accepted = findCall(others, multisigOps.accepted)
    const answer = accepted ?? getCall(others, multisigOps.rejected)
    const exitCode = accepted === undefined ? readRejection(answer) : 0
    const signerIndex = isCommented(anchor) ? BY_COMMENT : (findApproverIndex(anchor) ?? BY_COMMENT)
    const data = { signer, order, signerIndex, exitCode, signers }
    foldBlocks(multisigApprove, data, [anchor, answer], { failed: accepted === undefined })
  },
}
