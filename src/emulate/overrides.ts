import { buildAccount } from '../chain/buildAccount.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { CellError } from '../codec/cell/errors.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { type AccountState, type ExistingAccount, openAccount } from '../codec/tlb/Account.ts'
import { type CurrencyCollection, extraCurrenciesType, ZERO_CURRENCY } from '../codec/tlb/CurrencyCollection.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import { readShardAccount, type ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readStateInit, type StateInit } from '../codec/tlb/StateInit.ts'
import { findWalletKind, patchWalletData } from '../contracts/wallets.ts'
import { type Address, addressesEqual, formatRawAddress } from '../primitives/Address.ts'
import { EmulateRequestError } from './errors.ts'
import { type FollowedAccount, NO_ACCOUNT } from './World.ts'

/** What to change in one account before it is used. */
export type AccountOverride = {
  readonly balance?: bigint | undefined
  readonly extraCurrencies?: ReadonlyMap<number, bigint> | undefined
  readonly code?: Cell | undefined
  readonly data?: Cell | undefined
  /** Code, data, libraries and special flags at once. */
  readonly stateInit?: Cell | undefined
  /** A whole ShardAccount. */
  readonly shardAccount?: Cell | undefined
  readonly status?: 'nonexist' | 'uninit' | 'frozen' | undefined
  readonly frozenHash?: Uint8Array | undefined
  /** Fields of wallet data by name. */
  readonly dataPatch?: ReadonlyMap<string, bigint> | undefined
  readonly lastPaid?: number | undefined
  readonly duePayment?: bigint | undefined
}

/** Changes an account of the world. */
export const applyOverride = (account: FollowedAccount, override: AccountOverride): void => {
  account.current = overriddenAccount(account, override)
  account.isOverridden = true
}

const overriddenAccount = (account: FollowedAccount, override: AccountOverride): ShardAccount => {
  const { address, current } = account
  if (override.shardAccount !== undefined) return readGiven(address, override.shardAccount)
  if (override.status === 'nonexist') return NO_ACCOUNT
  const opened = openAccount(current.account)
  const old = opened.kind === 'account' ? opened : undefined
  const { lastPaid = old?.storage.lastPaid ?? account.genUtime, duePayment = old?.storage.duePayment } = override
  const cell = buildAccount({
    address,
    balance: balanceOf(old, override),
    state: stateOf(address, old, override),
    lastTransLt: old?.lastTransLt ?? 0n,
    lastPaid,
    duePayment: duePayment === 0n ? undefined : duePayment,
  })
  return { account: cell, lastTransHash: current.lastTransHash, lastTransLt: current.lastTransLt }
}

const readGiven = (address: Address, cell: Cell): ShardAccount => {
  try {
    const given = readWhole(cell, readShardAccount, 'A ShardAccount')
    const opened = openAccount(given.account)
    const own = opened.kind === 'account' ? findStandardAddress(opened.address) : address
    if (own === undefined || !addressesEqual(own, address)) {
      throw new EmulateRequestError(`the shard_account of ${formatRawAddress(address)} belongs to another address`)
    }
    return given
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new EmulateRequestError(`invalid shard_account of ${formatRawAddress(address)}: ${error.message}`)
  }
}

const balanceOf = (
  old: ExistingAccount | undefined,
  { balance, extraCurrencies }: AccountOverride,
): CurrencyCollection => {
  const known = old?.balance ?? ZERO_CURRENCY
  return {
    grams: balance ?? known.grams,
    extra:
      extraCurrencies === undefined
        ? known.extra
        : Dict.of(
            extraCurrenciesType,
            [...extraCurrencies].filter(([, amount]) => amount > 0n),
          ),
  }
}

const emptyInit: StateInit = {
  fixedPrefixLength: undefined,
  special: undefined,
  code: undefined,
  data: undefined,
  library: undefined,
}

const stateOf = (address: Address, old: ExistingAccount | undefined, override: AccountOverride): AccountState => {
  const { code, data, stateInit, status, frozenHash, dataPatch } = override
  if (status === 'uninit') return { kind: 'uninit' }
  if (status === 'frozen') {
    if (frozenHash === undefined) throw new EmulateRequestError('status frozen needs frozen_hash')
    return { kind: 'frozen', stateHash: frozenHash }
  }
  const given = stateInit === undefined ? undefined : readInit(stateInit)
  if (given === undefined && code === undefined && data === undefined && dataPatch === undefined) {
    return old?.state ?? { kind: 'uninit' }
  }
  const base = given ?? (old?.state.kind === 'active' ? old.state.init : emptyInit)
  const init = { ...base, code: code ?? base.code, data: data ?? base.data }
  return { kind: 'active', init: dataPatch === undefined ? init : patchData(address, init, dataPatch) }
}

const readInit = (cell: Cell): StateInit => {
  try {
    return readWhole(cell, readStateInit, 'A StateInit')
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new EmulateRequestError(`invalid state_init: ${error.message}`)
  }
}

const patchData = (address: Address, init: StateInit, patch: ReadonlyMap<string, bigint>): StateInit => {
  const kind = init.code && findWalletKind(init.code.hash())
  const data = kind && init.data && patchWalletData(kind, init.data, patch)
  if (data === undefined) {
    const names = [...patch.keys()].join(', ')
    throw new EmulateRequestError(
      `data of ${formatRawAddress(address)} cannot be patched: its code is not a known wallet with ${names}; give data instead`,
    )
  }
  return { ...init, data }
}
