import { packCell } from '../../../codec/stored/packCell.ts'
import { findMultisig, findMultisigOrder } from '../../../contracts/multisig.ts'
import { findVesting, isVestingCode } from '../../../contracts/vesting.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import { type Detector, hasMethods } from '../Detector.ts'
import { commonColumns } from '../knownContracts.ts'

/** More than fits in a message, which is how an order arrives: longer ones are not genuine. */
const MAX_ORDER_BYTES = 1 << 20

export const multisig: Detector = {
  name: 'multisig',
  isCandidate: hasMethods('get_multisig_data'),
  async detect({ run }, subject) {
    const found = await findMultisig(run, subject.contract.address)
    if (found === undefined) return undefined
    return {
      multisigs: {
        ...commonColumns(subject),
        threshold: found.threshold,
        next_order_seqno: found.nextOrderSeqno,
        signers: found.signers.map(addressKeyOf),
        proposers: found.proposers.map(addressKeyOf),
      },
    }
  },
}

/** An initialized order. */
export const multisigOrder: Detector = {
  name: 'multisig_order',
  isCandidate: hasMethods('get_order_data'),
  async detect({ run }, subject) {
    const found = await findMultisigOrder(run, subject.contract.address)
    if (found?.progress === undefined) return undefined
    const { threshold, sentForExecution, signers, approvalsMask, approvalsCount, expirationDate, order } =
      found.progress
    const content = packCell(order)
    if (content.length > MAX_ORDER_BYTES) return undefined
    return {
      multisig_orders: {
        ...commonColumns(subject),
        expiration_date: BigInt(expirationDate),
        threshold,
        approvals_num: approvalsCount,
        sent_for_execution: sentForExecution,
        order_seqno: found.orderSeqno,
        approvals_mask: approvalsMask,
        multisig_address: addressKeyOf(found.multisig),
        order_content: content,
        signers: signers.map(addressKeyOf),
      },
    }
  },
}

export const vestingWallet: Detector = {
  name: 'vesting',
  isCandidate: ({ codeHash }) => isVestingCode(codeHash),
  async detect({ run }, subject) {
    const vesting = await findVesting(run, subject.contract.address)
    if (vesting === undefined) return undefined
    return {
      vesting_contracts: {
        ...commonColumns(subject),
        start_time: BigInt(vesting.startTime),
        total_duration: BigInt(vesting.totalDuration),
        unlock_period: BigInt(vesting.unlockPeriod),
        cliff_duration: BigInt(vesting.cliffDuration),
        total_amount: vesting.totalAmount,
        sender_address: addressKeyOf(vesting.sender),
        owner_address: addressKeyOf(vesting.owner),
        whitelist: vesting.whitelist.map(addressKeyOf),
      },
    }
  },
}
