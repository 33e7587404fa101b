import type { PendingQuestion } from '../../store/reader/pending.ts'
import { optional } from '../core/Param.ts'
import { SupportedTypesParam } from './actionParams.ts'
import { addressParam, hashListParam } from './params.ts'
import { RefusedRequestError } from './RefusedRequestError.ts'

/** What pending traces and actions are asked for by. */
export const pendingParams = {
  account: optional(addressParam('An account that takes part; it comes before ext_msg_hash.')),
  ext_msg_hash: optional(hashListParam('Hashes of messages from outside, plain or normal.')),
  supported_action_types: SupportedTypesParam,
} as const

type Asked = {
  readonly account: Uint8Array | undefined
  readonly ext_msg_hash: readonly Uint8Array[] | undefined
}

export const readPendingQuestion = ({ account, ext_msg_hash: hashes }: Asked): PendingQuestion => {
  if (account !== undefined) return { accounts: [account] }
  if (hashes === undefined) throw new RefusedRequestError('account or ext_msg_hash should be specified')
  return { hashes }
}
