import { type Static, Type } from 'typebox'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { accountNoneCell } from '../../../codec/tlb/Account.ts'
import { findWalletFacts, findWalletKind, walletKinds } from '../../../contracts/wallets.ts'
import { fromBase64 } from '../../../primitives/base64.ts'
import type { AccountBalance, AccountState } from '../../../store/reader/accounts.ts'
import type { StateSnapshot } from '../../../store/reader/TransactionRecord.ts'
import { type JsonWriter, jsonNames } from '../../core/json/JsonWriter.ts'
import {
  AccountStatusView,
  AddressText,
  addressText,
  BocText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  hashText,
  stateBocText,
  toKnownExtra,
  writeExtra,
} from './scalars.ts'

export const AccountStateFullView = Type.Object(
  {
    address: AddressText,
    account_state_hash: HashText,
    balance: DecimalText,
    extra_currencies: Type.Union([ExtraCurrenciesView, Type.Null()], { description: 'Null if unknown.' }),
    status: AccountStatusView,
    frozen_hash: Type.Optional(HashText),
    last_transaction_hash: HashText,
    last_transaction_lt: DecimalText,
    data_hash: Type.Optional(HashText),
    code_hash: Type.Optional(HashText),
    data_boc: Type.Optional(BocText),
    code_boc: Type.Optional(BocText),
    contract_methods: Type.Union([Type.Array(Type.Integer()), Type.Null()], {
      description: 'Get-method ids; null if the code has no standard method dictionary.',
    }),
    interfaces: Type.Array(Type.String(), { description: 'Interfaces of the contract.' }),
  },
  { $id: 'AccountStateFull' },
)

/** Facts about the code of an account. */
export type ShownCode = {
  /** A bag of cells; absent if not requested. */
  readonly boc: string | undefined
  readonly methods: readonly number[] | undefined
  readonly interfaces: readonly string[]
}

export const toAccountStateFullView = (
  state: AccountState,
  code: ShownCode | undefined,
): Static<typeof AccountStateFullView> =>
  ({
    address: addressText(state.account),
    account_state_hash: hashText(state.hash),
    balance: String(state.balance),
    extra_currencies: toKnownExtra(state.extra) ?? null,
    status: state.status,
    frozen_hash: state.frozenHash && hashText(state.frozenHash),
    last_transaction_hash: hashText(state.lastHash),
    last_transaction_lt: String(state.lastLt),
    data_hash: state.dataHash && hashText(state.dataHash),
    code_hash: state.codeHash && hashText(state.codeHash),
    data_boc: state.data && stateBocText(state.data),
    code_boc: code?.boc,
    contract_methods: code?.methods === undefined ? null : [...code.methods],
    interfaces: [...(code?.interfaces ?? [])],
  }) as Static<typeof AccountStateFullView>

/** Code hashes of ordinary single-owner wallets. */
export const walletCodeHashes: readonly Uint8Array[] = walletKinds.flatMap(({ walletType, codeHash }) =>
  walletType === undefined ? [] : fromBase64(codeHash),
)

/** Parsed data of a wallet. */
export type ShownWallet = {
  readonly wallet_type: string
  readonly seqno?: number
  readonly wallet_id?: number
  readonly is_signature_allowed?: boolean
}

/** The wallet data of an account; `undefined` if it is not a known wallet. */
export const findShownWallet = ({ codeHash, data }: AccountState): ShownWallet | undefined => {
  const kind = codeHash && findWalletKind(codeHash)
  if (kind?.walletType === undefined) return undefined
  const { seqno, walletId, signatureAllowed } = (data && findWalletFacts(kind, unpackCell(data))) ?? {}
  return {
    wallet_type: kind.walletType,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId >>> 0 }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  }
}

export const WalletStateView = Type.Object(
  {
    address: AddressText,
    is_wallet: Type.Boolean({ description: 'Whether the account is a known wallet.' }),
    wallet_type: Type.Optional(Type.String({ examples: ['wallet v5 r1'] })),
    seqno: Type.Optional(Type.Integer({ description: 'Seqno of the next external message.' })),
    wallet_id: Type.Optional(Type.Integer()),
    balance: DecimalText,
    extra_currencies: Type.Optional(ExtraCurrenciesView),
    is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Whether signature authentication is enabled.' })),
    status: AccountStatusView,
    code_hash: Type.Optional(HashText),
    last_transaction_hash: HashText,
    last_transaction_lt: DecimalText,
  },
  { $id: 'WalletState' },
)

export const toWalletStateView = (state: AccountState): Static<typeof WalletStateView> => {
  const wallet = findShownWallet(state)
  const extra = toKnownExtra(state.extra) ?? {}
  return {
    address: addressText(state.account),
    is_wallet: wallet !== undefined,
    ...wallet,
    balance: String(state.balance),
    ...(Object.keys(extra).length > 0 && { extra_currencies: extra }),
    status: state.status,
    ...(state.codeHash !== undefined && { code_hash: hashText(state.codeHash) }),
    last_transaction_hash: hashText(state.lastHash),
    last_transaction_lt: String(state.lastLt),
  }
}

export const AccountBalanceView = Type.Object({ account: AddressText, balance: DecimalText }, { $id: 'AccountBalance' })

export const toAccountBalanceView = ({ account, balance }: AccountBalance): Static<typeof AccountBalanceView> => ({
  account: addressText(account),
  balance: String(balance),
})

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const AccountStateView = Type.Object(
  {
    hash: HashText,
    balance: orNull(DecimalText),
    extra_currencies: orNull(ExtraCurrenciesView),
    account_status: orNull(AccountStatusView),
    frozen_hash: orNull(HashText),
    data_hash: orNull(HashText),
    code_hash: orNull(HashText),
  },
  {
    $id: 'AccountState',
    description: 'Account state before or after a transaction. Parts that are not in the block are null.',
  },
)

const NO_ACCOUNT = accountNoneCell.hash()
const NO_ACCOUNT_HASH = hashText(NO_ACCOUNT)

const names = jsonNames(
  'hash',
  'balance',
  'extra_currencies',
  'account_status',
  'frozen_hash',
  'data_hash',
  'code_hash',
  'overridden',
)

/** As {@link toAccountStateView}. The state of an emulation may be overridden. */
export const writeAccountState = (
  writer: JsonWriter,
  { hash, known }: StateSnapshot,
  isOverridden: true | undefined,
): void => {
  writer.open()
  writer.hash(names.hash, hash ?? NO_ACCOUNT)
  writer.decimal(names.balance, known?.balance ?? null)
  if (known === undefined) writer.json(names.extra_currencies, 'null')
  else writeExtra(writer, names.extra_currencies, known.extra, 'null')
  writer.text(names.account_status, known?.status ?? null)
  writer.hash(names.frozen_hash, known?.frozenHash ?? null)
  writer.hash(names.data_hash, known?.dataHash ?? null)
  writer.hash(names.code_hash, known?.codeHash ?? null)
  writer.flag(names.overridden, isOverridden)
  writer.close()
}

const hashOrNull = (hash: Uint8Array | undefined): string | null => (hash === undefined ? null : hashText(hash))

export const toAccountStateView = ({ hash, known }: StateSnapshot): Static<typeof AccountStateView> => ({
  hash: hash === undefined ? NO_ACCOUNT_HASH : hashText(hash),
  balance: known === undefined ? null : String(known.balance),
  extra_currencies: known === undefined ? null : (toKnownExtra(known.extra) ?? null),
  account_status: known?.status ?? null,
  frozen_hash: hashOrNull(known?.frozenHash),
  data_hash: hashOrNull(known?.dataHash),
  code_hash: hashOrNull(known?.codeHash),
})
