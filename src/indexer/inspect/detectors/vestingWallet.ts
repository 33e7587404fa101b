import { findVesting, isVestingCode } from '../../../contracts/vesting.ts'
import { addressKeyOf } from '../../../primitives/Address.ts'
import type { Detector } from '../Detector.ts'
import { commonColumns } from '../Subject.ts'

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
