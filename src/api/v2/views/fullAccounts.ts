import { type Static, type TSchema, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { type ChannelConfig, type ChannelState, findPaymentChannel } from '../../../contracts/paymentChannel.ts'
import {
  type AccountStateName,
  findRestrictions,
  findWalletFacts,
  findWalletKind,
  unlockedBalance,
  type WalletKind,
} from '../../../contracts/wallets.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { GivenAddress } from '../params.ts'
import type { AccountReading } from '../readAccount.ts'
import { accountMembers, MaybeHashView, proofMembers, toAccountMembers, toCodeBytes, toFrozenHash } from './accounts.ts'
import { AccountAddressView, BytesView, toAccountAddressView, toMaybeCellBytes, typeName } from './scalars.ts'

/** A 64-bit number: a JSON number in these objects, not text. */
const amount = Type.BigInt()

const ConfigView = Type.Object(
  {
    '@type': typeName('pchan.config'),
    alice_public_key: Type.String(),
    alice_address: AccountAddressView,
    bob_public_key: Type.String(),
    bob_address: AccountAddressView,
    init_timeout: Type.Integer(),
    close_timeout: Type.Integer(),
    channel_id: amount,
  },
  { $id: 'pchan.config' },
)

const openMembers = {
  signed_A: Type.Boolean(),
  signed_B: Type.Boolean(),
  min_A: amount,
  min_B: amount,
  expire_at: Type.Integer(),
  A: amount,
  B: amount,
}

const StateView = Type.Union([
  Type.Object({ '@type': typeName('pchan.stateInit'), ...openMembers }, { $id: 'pchan.stateInit' }),
  Type.Object({ '@type': typeName('pchan.stateClose'), ...openMembers }, { $id: 'pchan.stateClose' }),
  Type.Object({ '@type': typeName('pchan.statePayout'), A: amount, B: amount }, { $id: 'pchan.statePayout' }),
])

const PaymentChannelView = Type.Object(
  { '@type': typeName('pchan.accountState'), config: ConfigView, state: StateView, description: Type.String() },
  { $id: 'pchan.accountState' },
)

/** The data of a payment channel; `undefined` if it does not match the layout. */
const findPaymentChannelView = (data: Cell): Static<typeof PaymentChannelView> | undefined => {
  const channel = findPaymentChannel(data)
  return (
    channel && {
      '@type': 'pchan.accountState',
      config: toConfigView(channel.config),
      state: toStateView(channel.state),
      description: '',
    }
  )
}

const toConfigView = ({ a, b, initTimeout, closeTimeout, channelId }: ChannelConfig): Static<typeof ConfigView> => ({
  '@type': 'pchan.config',
  alice_public_key: toBase64(a.publicKey),
  alice_address: toAccountAddressView(a.address),
  bob_public_key: toBase64(b.publicKey),
  bob_address: toAccountAddressView(b.address),
  init_timeout: initTimeout | 0,
  close_timeout: closeTimeout | 0,
  channel_id: BigInt.asIntN(64, channelId),
})

const toStateView = (state: ChannelState): Static<typeof StateView> => {
  if (state.kind === 'payout') return { '@type': 'pchan.statePayout', A: state.amountA, B: state.amountB }
  const { signedA, signedB, expireAt, amountA, amountB } = state
  const [minA, minB] = state.kind === 'init' ? [state.minA, state.minB] : [state.promiseA, state.promiseB]
  return {
    '@type': state.kind === 'init' ? 'pchan.stateInit' : 'pchan.stateClose',
    signed_A: signedA,
    signed_B: signedB,
    min_A: minA,
    min_B: minB,
    expire_at: expireAt,
    A: amountA,
    B: amountB,
  }
}

const state = <const Name extends string, Members extends { [name: string]: TSchema }>(name: Name, members: Members) =>
  Type.Object({ '@type': typeName(name), ...members }, { $id: name })

const walletId = { wallet_id: Type.Integer({ examples: [698_983_191] }) }
const seqno = { seqno: Type.Integer({ examples: [12] }) }

const RestrictedWalletView = state('rwallet.accountState', {
  ...walletId,
  ...seqno,
  unlocked_balance: amount,
  config: Type.Object({
    '@type': typeName('rwallet.config'),
    start_at: Type.Integer(),
    limits: Type.Array(Type.Object({ '@type': typeName('rwallet.limit'), seconds: Type.Integer(), value: amount })),
  }),
})

/** The contract type of an account with its parsed data. */
const ContractStateView = Type.Union([
  state('uninited.accountState', { frozen_hash: MaybeHashView }),
  state('raw.accountState', { code: BytesView, data: BytesView, frozen_hash: MaybeHashView }),
  state('wallet.v3.accountState', { ...walletId, ...seqno }),
  state('wallet.v4.accountState', { ...walletId, ...seqno }),
  state('wallet.highload.v1.accountState', { ...walletId, ...seqno }),
  state('wallet.highload.v2.accountState', walletId),
  state('dns.accountState', walletId),
  RestrictedWalletView,
  PaymentChannelView,
])

export type ContractState = { readonly view: Static<typeof ContractStateView>; readonly revision: number }

/** The state of a known contract, or the raw state. */
const toContractState = (account: AccountReading): ContractState => {
  const { code, data } = account
  if (code === undefined) {
    return { view: { '@type': 'uninited.accountState', frozen_hash: toFrozenHash(account) }, revision: 0 }
  }
  const kind = findWalletKind(code.hash())
  const view = kind?.accountState && data && findContractView(kind, kind.accountState.type, account, data)
  return view === undefined
    ? { view: toRawView(account), revision: 0 }
    : { view, revision: kind?.accountState?.revision ?? 0 }
}

const toRawView = ({ code, data }: AccountReading): Static<typeof ContractStateView> => ({
  '@type': 'raw.accountState',
  code: toCodeBytes(code),
  data: toMaybeCellBytes(data),
  frozen_hash: '',
})

const findContractView = (
  kind: WalletKind,
  type: AccountStateName['type'],
  account: AccountReading,
  data: Cell,
): Static<typeof ContractStateView> | undefined => {
  if (type === 'pchan.accountState') return findPaymentChannelView(data)
  const facts = findWalletFacts(kind, data)
  if (facts?.walletId === undefined) return undefined
  const ids = { wallet_id: facts.walletId >>> 0 }
  if (type === 'wallet.highload.v2.accountState' || type === 'dns.accountState') return { '@type': type, ...ids }
  if (facts.seqno === undefined) return undefined
  const counted = { ...ids, seqno: facts.seqno | 0 }
  return type === 'rwallet.accountState' ? findRestrictedView(account, data, counted) : { '@type': type, ...counted }
}

const findRestrictedView = (
  { balance, genUtime }: AccountReading,
  data: Cell,
  counted: { readonly wallet_id: number; readonly seqno: number },
): Static<typeof RestrictedWalletView> | undefined => {
  const restrictions = findRestrictions(data)
  return (
    restrictions && {
      '@type': 'rwallet.accountState',
      ...counted,
      unlocked_balance: unlockedBalance(restrictions, balance.grams, genUtime, undefined),
      config: {
        '@type': 'rwallet.config',
        start_at: restrictions.startAt,
        limits: restrictions.limits.map((limit) => ({ '@type': 'rwallet.limit', ...limit })),
      },
    }
  )
}

export const FullAccountView = Type.Object(
  {
    '@type': typeName('fullAccountState'),
    address: AccountAddressView,
    ...accountMembers,
    account_state: ContractStateView,
    revision: Type.Integer({ description: 'Version of the contract; 0 if unknown.' }),
    ...proofMembers,
  },
  { $id: 'FullAccountState', description: 'Account with its contract type.' },
)

export const toFullAccountView = (address: GivenAddress, account: AccountReading): Static<typeof FullAccountView> => {
  const { view, revision } = toContractState(account)
  return {
    '@type': 'fullAccountState',
    address: toAccountAddressView(address, address.flags),
    ...toAccountMembers(account),
    account_state: view,
    revision,
  }
}
