import { ADDRESS_KEY_EXTERN, ADDRESS_KEY_NONE, ADDRESS_KEY_VAR, addressKeyOf } from '../../primitives/addressKey.ts'
import type { MsgAddress } from '../tlb/MsgAddress.ts'
import { findStandardAddress } from '../tlb/standardAddress.ts'

/** The key of any address that a message may hold: of the account where it means one. */
export const addressKeyOfMsgAddress = (address: MsgAddress): Uint8Array => {
  if (address.kind === 'none') return ADDRESS_KEY_NONE
  if (address.kind === 'extern') return ADDRESS_KEY_EXTERN
  const standard = findStandardAddress(address)
  return standard === undefined ? ADDRESS_KEY_VAR : addressKeyOf(standard)
}
