import { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { type ExistingAccount, openAccount, writeAccount } from '../../codec/tlb/Account.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import { configDictType } from '../../codec/tlb/config/configParams.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'

export type AccountChange = {
  readonly balance?: bigint | undefined
  readonly code?: Cell | undefined
  readonly data?: Cell | undefined
}

const EMPTY_INIT: StateInit = {
  fixedPrefixLength: undefined,
  special: undefined,
  code: undefined,
  data: undefined,
  library: undefined,
}

/** The account with another balance, code or data. Code or data make any account an active one. */
export const changeAccount = (
  { account, ...last }: ShardAccount,
  { workchain, hash }: Address,
  { balance, code, data }: AccountChange,
): ShardAccount => {
  const opened = openAccount(account)
  const old: ExistingAccount =
    opened.kind === 'account'
      ? opened
      : {
          kind: 'account',
          address: { kind: 'std', anycast: undefined, workchain, hash },
          storage: { used: { cells: 0n, bits: 0n }, dictHash: undefined, lastPaid: 0, duePayment: undefined },
          lastTransLt: 0n,
          balance: { grams: 0n, extra: NO_EXTRA_CURRENCIES },
          state: { kind: 'uninit' },
        }
  const init = old.state.kind === 'active' ? old.state.init : EMPTY_INIT
  const isActive = code !== undefined || data !== undefined
  const changed: ExistingAccount = {
    ...old,
    balance: balance === undefined ? old.balance : { ...old.balance, grams: balance },
    state: isActive
      ? { kind: 'active', init: { ...init, code: code ?? init.code, data: data ?? init.data } }
      : old.state,
  }
  return { ...last, account: writeWhole(writeAccount, changed) }
}

/** The configuration with other parameters. */
export const changeConfig = (config: Cell, params: ReadonlyMap<number, Cell>): Cell => {
  let dict = new Dict(configDictType, config)
  for (const [number, param] of params) dict = dict.set(number, param)
  const { root } = dict
  if (root instanceof Cell) return root
  throw new TypeError('A configuration that was changed must have a root.')
}
