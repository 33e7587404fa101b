import { type Static, type TSchema, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import {
  type AccountStateName,
  findRestrictions,
  findWalletFacts,
  findWalletKind,
  unlockedBalance,
  type WalletKind,
} from '../../../contracts/wallets.ts'
import type { AccountReading } from '../readAccount.ts'
import { MaybeHashView, toFrozenHash } from './AccountView.ts'
import { toCodeBytes } from './codeBytes.ts'
import { findPaymentChannelView, PaymentChannelView } from './PaymentChannelView.ts'
import { BytesView, toMaybeCellBytes, typeName } from './scalars.ts'

const state = <const Name extends string, Members extends { [name: string]: TSchema }>(name: Name, members: Members) =>
  Type.Object({ '@type': typeName(name), ...members }, { $id: name })

const walletId = { wallet_id: Type.Integer({ examples: [698_983_191] }) }
const seqno = { seqno: Type.Integer({ examples: [12] }) }
/** A 64-bit number that is no text in these objects. */
const amount = Type.BigInt()

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

/** What kind of contract an account is, and what its data says. */
export const KnownStateView = Type.Union([
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

export type KnownState = { readonly view: Static<typeof KnownStateView>; readonly revision: number }

/** The account as one of the contracts that clients know, or else as it is. */
export const toKnownState = (account: AccountReading): KnownState => {
  const { code, data } = account
  if (code === undefined) {
    return { view: { '@type': 'uninited.accountState', frozen_hash: toFrozenHash(account) }, revision: 0 }
  }
  const kind = findWalletKind(code.hash())
  const view = kind?.accountState && data && findKnownView(kind, kind.accountState.type, account, data)
  return view === undefined
    ? { view: toRawView(account), revision: 0 }
    : { view, revision: kind?.accountState?.revision ?? 0 }
}

const toRawView = ({ code, data }: AccountReading): Static<typeof KnownStateView> => ({
  '@type': 'raw.accountState',
  code: toCodeBytes(code),
  data: toMaybeCellBytes(data),
  frozen_hash: '',
})

const findKnownView = (
  kind: WalletKind,
  type: AccountStateName['type'],
  account: AccountReading,
  data: Cell,
): Static<typeof KnownStateView> | undefined => {
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
