import { type Static, Type } from 'typebox'
import { type AccountState, findAccountStates } from '../../../store/reader/accounts.ts'
import type { JsonObject } from '../../core/json/parseJson.ts'
import { optional, withDefault } from '../../core/params.ts'
import { MissingArgumentError, NotAWalletError } from '../errors.ts'
import { readCodeBocs } from '../hydrate/readCodes.ts'
import { addressParam, boolParam } from '../params.ts'
import { proxyToV2Or500 } from '../proxyToV2.ts'
import type { V3Context } from '../V3Context.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { findShownWallet, type ShownWallet, walletCodeHashes } from '../views/accounts.ts'
import { addressText, BocText, DecimalText, HashText, hashText, stateBocText } from '../views/scalars.ts'

/** Parameters of the v2-style account endpoints. */
const legacyAccountParams = {
  address: optional(addressParam('The account.')),
  use_v2: withDefault(boolParam('Read from a liteserver (v2) instead of the index.'), false),
} as const

/** The required address. */
const requireAddress = (address: Uint8Array | undefined): Uint8Array => {
  if (address === undefined) throw new MissingArgumentError('address of account is required')
  return address
}

/** An account from the index. An unknown account is an empty one. */
const readLegacyAccount = async (
  { keyedReads }: Pick<V3Context, 'keyedReads'>,
  account: Uint8Array,
  data: 'all' | readonly Uint8Array[],
): Promise<{ readonly state: AccountState; readonly isKnown: boolean }> => {
  const [found] = await findAccountStates(keyedReads, { accounts: [account], data })
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

/** Status names of the index, and the v2 name of an account without code. */
const LegacyStatusView = Type.Union(
  [
    Type.Literal('uninit'),
    Type.Literal('frozen'),
    Type.Literal('active'),
    Type.Literal('nonexist'),
    Type.Literal('uninitialized'),
  ],
  { $id: 'LegacyAccountStatus' },
)

type LegacyStatus = Static<typeof LegacyStatusView>

const AddressInformationView = Type.Object(
  {
    balance: DecimalText,
    code: Type.Union([BocText, Type.Null()]),
    data: Type.Union([BocText, Type.Null()]),
    last_transaction_lt: DecimalText,
    last_transaction_hash: HashText,
    frozen_hash: Type.Union([HashText, Type.Null()]),
    status: LegacyStatusView,
  },
  { $id: 'AddressInformation' },
)

type AddressInformation = Static<typeof AddressInformationView>

/** `code` is a bag of cells. */
const toAddressInformationView = (state: AccountState, code: string | undefined): AddressInformation => ({
  balance: String(state.balance),
  code: code ?? null,
  data: state.data === undefined ? null : stateBocText(state.data),
  last_transaction_lt: String(state.lastLt),
  last_transaction_hash: hashText(state.lastHash),
  frozen_hash: state.frozenHash === undefined ? null : hashText(state.frozenHash),
  status: state.status,
})

/** Converts a v2 account, where absent values are empty texts. */
const fromV2Account = (live: JsonObject): AddressInformation => {
  const { balance, code, data, frozen_hash, state, last_transaction_id } = live
  const { lt, hash } = last_transaction_id as { readonly lt: string; readonly hash: string }
  const orNull = (text: unknown): string | null => (text as string) || null
  return {
    balance: balance as string,
    code: orNull(code),
    data: orNull(data),
    last_transaction_lt: lt,
    last_transaction_hash: hash,
    frozen_hash: orNull(frozen_hash),
    status: state as LegacyStatus,
  }
}

export const addressInformation = v3Endpoint({
  name: 'addressInformation',
  needsNode: true,
  tags: ['legacy'],
  summary: 'An account: balance, code, data, last transaction.',
  params: legacyAccountParams,
  result: AddressInformationView,
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, use_v2 }) {
    const account = requireAddress(address)
    if (use_v2) {
      const live = await proxyToV2Or500(context, 'getAddressInformation', { address: addressText(account) })
      return fromV2Account(live as JsonObject)
    }
    const { state } = await readLegacyAccount(context, account, 'all')
    const { codeHash } = state
    const bocOf = await readCodeBocs(context.keyedReads, codeHash === undefined ? [] : [codeHash])
    return toAddressInformationView(state, codeHash && bocOf(codeHash))
  },
})

/** Alias for older clients. */
export const account = { ...addressInformation, name: 'account' } as const

const WalletInformationView = Type.Object(
  {
    balance: DecimalText,
    wallet_type: Type.Optional(Type.String({ examples: ['wallet v5 r1'] })),
    seqno: Type.Optional(Type.Integer({ description: 'Seqno of the next external message.' })),
    wallet_id: Type.Optional(Type.Integer()),
    last_transaction_lt: DecimalText,
    last_transaction_hash: HashText,
    status: LegacyStatusView,
  },
  { $id: 'WalletInformation' },
)

type WalletInformation = Static<typeof WalletInformationView>

const toWalletInformationView = (state: AccountState, wallet: ShownWallet | undefined): WalletInformation => ({
  balance: String(state.balance),
  ...toWalletMembers(wallet ?? {}),
  last_transaction_lt: String(state.lastLt),
  last_transaction_hash: hashText(state.lastHash),
  status: state.status,
})

/** Converts a v2 wallet, where the wallet id is signed. */
const fromV2Wallet = (live: JsonObject): WalletInformation => {
  const { balance, account_state, last_transaction_id, wallet_type, seqno, wallet_id } = live
  const { lt, hash } = last_transaction_id as { readonly lt: string; readonly hash: string }
  return {
    balance: balance as string,
    ...toWalletMembers({
      wallet_type: wallet_type as string | undefined,
      seqno: seqno as number | undefined,
      wallet_id: wallet_id as number | undefined,
    }),
    last_transaction_lt: lt,
    last_transaction_hash: hash,
    status: account_state as LegacyStatus,
  }
}

type WalletMembers = {
  readonly wallet_type?: string | undefined
  readonly seqno?: number | undefined
  readonly wallet_id?: number | undefined
}

const toWalletMembers = ({ wallet_type, seqno, wallet_id }: WalletMembers) => ({
  ...(wallet_type !== undefined && { wallet_type }),
  ...(seqno !== undefined && { seqno }),
  ...(wallet_id !== undefined && { wallet_id: wallet_id >>> 0 }),
})

export const walletInformation = v3Endpoint({
  name: 'walletInformation',
  needsNode: true,
  tags: ['legacy'],
  summary: 'Wallet information: type, seqno and wallet id. Uninitialized accounts are allowed.',
  params: legacyAccountParams,
  result: WalletInformationView,
  errors: ['unauthorized', 'not_a_wallet', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, use_v2 }) {
    const account = requireAddress(address)
    if (use_v2) {
      const live = await proxyToV2Or500(context, 'getWalletInformation', { address: addressText(account) })
      const view = fromV2Wallet(live as JsonObject)
      if (view.wallet_type === undefined && view.status !== 'uninitialized') throw new NotAWalletError()
      return view
    }
    const { state, isKnown } = await readLegacyAccount(context, account, walletCodeHashes)
    const wallet = findShownWallet(state)
    if (isKnown && wallet === undefined && state.status !== 'uninit') throw new NotAWalletError()
    return toWalletInformationView(state, wallet)
  },
})

/** Alias for older clients. */
export const wallet = { ...walletInformation, name: 'wallet' } as const
