import { type Static, Type } from 'typebox'
import type { Vesting } from '../../../store/reader/vestings.ts'
import { AddressText, addressText, DecimalText } from './scalars.ts'

export const VestingView = Type.Object(
  {
    address: AddressText,
    start_time: Type.Integer(),
    total_duration: Type.Integer(),
    unlock_period: Type.Integer(),
    cliff_duration: Type.Integer(),
    sender_address: AddressText,
    owner_address: AddressText,
    total_amount: DecimalText,
    whitelist: Type.Array(AddressText),
  },
  { $id: 'VestingInfo' },
)

export const toVestingView = (vesting: Vesting): Static<typeof VestingView> => ({
  address: addressText(vesting.address),
  start_time: Number(vesting.startTime),
  total_duration: Number(vesting.totalDuration),
  unlock_period: Number(vesting.unlockPeriod),
  cliff_duration: Number(vesting.cliffDuration),
  sender_address: addressText(vesting.sender),
  owner_address: addressText(vesting.owner),
  total_amount: String(vesting.totalAmount),
  whitelist: vesting.whitelist.map(addressText),
})
