import type { Cell } from '../../codec/cell/Cell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit, TouchedAccount } from '../blockSets.ts'
import { toTexts } from '../decode/findTransactions.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import { newestAccountsOf } from '../newestAccounts.ts'
import type { AccountResolver, ChainStates, StateView } from '../ports.ts'
import { StateMismatchError } from './checkRawBlock.ts'

/** Every account once, as its last transaction left it. */
export const listTouched = (units: readonly DecodedUnit[]): TouchedAccount[] =>
  newestAccountsOf(units).list.map(({ touched }) => touched)

/** Whether an account has anything that its block does not show. */
export const hasContent = ({ codeHash, dataHash, extraCurrencies }: TouchedAccount): boolean =>
  codeHash !== undefined || dataHash !== undefined || extraCurrencies === 'unknown'

export const withoutContent = ({ account, lastLt, extraCurrencies }: TouchedAccount): ResolvedAccount => ({
  account,
  lastLt,
  code: undefined,
  data: undefined,
  extraCurrencies,
})

/** What the blocks show: whether there is code and data. */
export const unknownContent = (touched: TouchedAccount): ResolvedAccount => ({
  ...withoutContent(touched),
  code: touched.codeHash && 'unknown',
  data: touched.dataHash && 'unknown',
})

/** From the cell of an account with the right hash. */
export const readContent = (touched: TouchedAccount, found: Cell): ResolvedAccount => {
  const opened = openAccount(found)
  if (opened.kind === 'none') return withoutContent(touched)
  const { state, balance } = opened
  const known = { ...withoutContent(touched), extraCurrencies: toTexts(balance.extra) }
  return state.kind === 'active' ? { ...known, code: state.init.code, data: state.init.data } : known
}

/**
 * Finds code, data and currencies in the states of the chain. An account changes by its transactions only, so all are as after the last block.
 * Code that an account had in between and no account has at the end is found, too, so that what is known does not depend on
 * where batches end: such a state comes before the newest of the same account.
 */
export const createStateResolver = (states: ChainStates): AccountResolver => ({
  resolve: async (units, signal) => {
    const last = units.at(-1)
    if (last === undefined) return []
    const touched = listTouched(units)
    const passing = listPassingCodes(units, touched)
    try {
      const before: ResolvedAccount[] = []
      for (const { unit, account } of passing) {
        before.push(await resolveAccount(await openView(states, unit, signal), account))
      }
      // Most batches of a quiet network touch nothing that has any.
      if (!touched.some(hasContent)) return [...before, ...touched.map(withoutContent)]
      const view = await openView(states, last, signal)
      const newest = await Promise.all(
        touched.map((account) => (hasContent(account) ? resolveAccount(view, account) : withoutContent(account))),
      )
      return [...before, ...newest]
    } catch (error) {
      if (error instanceof StateMismatchError) states.forget()
      throw error
    }
  },
})

const openView = async (states: ChainStates, unit: DecodedUnit, signal: AbortSignal): Promise<StateView> => {
  const view = await states.openAt(unit.seqno, signal)
  expectBlock(view, unit)
  return view
}

type PassingCode = { readonly unit: DecodedUnit; readonly account: TouchedAccount }

/** One state for each code that nobody who was touched has at the end. */
const listPassingCodes = (units: readonly DecodedUnit[], newest: readonly TouchedAccount[]): PassingCode[] => {
  const known = new Set(newest.flatMap(({ codeHash }) => (codeHash === undefined ? [] : [toHex(codeHash)])))
  const passing: PassingCode[] = []
  for (const unit of units) {
    for (const account of unit.accounts) {
      const key = account.codeHash && toHex(account.codeHash)
      if (key === undefined || known.has(key)) continue
      known.add(key)
      passing.push({ unit, account })
    }
  }
  return passing
}

/** Knows nothing but what the blocks themselves show: whether there is code and data, and their hashes. */
export const createBlindResolver = (): AccountResolver => ({
  resolve: async (units) => listTouched(units).map(unknownContent),
})

const expectBlock = ({ block }: StateView, { seqno, rootHash }: DecodedUnit): void => {
  if (bytesEqual(block.rootHash, rootHash)) return
  throw new StateMismatchError(
    `States after masterchain block ${seqno} with the root hash ${toHex(rootHash)} were expected, ${toHex(block.rootHash)} came.`,
  )
}

const resolveAccount = async (view: StateView, touched: TouchedAccount): Promise<ResolvedAccount> => {
  const { account, workchain, stateHash } = touched
  const address = { workchain, hash: account.subarray(1) }
  const found = await view.findAccount(address)
  if (found === undefined || !found.hasHash(stateHash)) {
    throw new StateMismatchError(
      `Account ${formatRawAddress(address)} should have the state ${toHex(stateHash)} after masterchain block ` +
        `${view.block.seqno}, ${found === undefined ? 'there is none' : `${toHex(found.hash())} came`}.`,
    )
  }
  return readContent(touched, found)
}
