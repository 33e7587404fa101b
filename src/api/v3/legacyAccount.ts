import { type AccountState, findAccountStates } from '../../store/reader/accounts.ts'
import { optional, withDefault } from '../core/Param.ts'
import { MissingArgumentError } from './errors.ts'
import { addressParam, boolParam } from './params.ts'
import type { V3Context } from './V3Context.ts'

/** What the old questions about one account take. */
export const legacyAccountParams = {
  address: optional(addressParam('The account.')),
  use_v2: withDefault(boolParam('True asks a node instead of the index.'), false),
} as const

/** The address that one cannot do without. */
export const requireAddress = (address: Uint8Array | undefined): Uint8Array => {
  if (address === undefined) throw new MissingArgumentError('address of account is required')
  return address
}

/** An account as the index knows it. One that nobody has used is as good as one without anything. */
export const readLegacyAccount = async (
  { points }: Pick<V3Context, 'points'>,
  account: Uint8Array,
  data: 'all' | readonly Uint8Array[],
): Promise<{ readonly state: AccountState; readonly isKnown: boolean }> => {
  const [found] = await findAccountStates(points, { accounts: [account], data })
  return { state: found ?? { ...nobody, account }, isKnown: found !== undefined }
}

const nobody: Omit<AccountState, 'account'> = {
  hash: new Uint8Array(32),
  balance: 0n,
  extra: undefined,
  status: 'uninit',
  lastLt: 0n,
  lastHash: new Uint8Array(32),
  frozenHash: undefined,
  dataHash: undefined,
  codeHash: undefined,
  data: undefined,
}
