import type { Cell } from '../../codec/cell/Cell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedBlockSet, TouchedAccount } from '../blockSets.ts'
import { toTexts } from '../decode/findTransactions.ts'
import type { ResolvedAccount } from '../IndexBatch.ts'
import { newestAccountsOf } from '../newestAccounts.ts'
import type { AccountResolver, ChainStates, StateView } from '../ports.ts'
import { StateMismatchError } from './checkRawBlock.ts'

/** Every touched account once, after its last transaction. */
export const listTouched = (blockSets: readonly DecodedBlockSet[]): TouchedAccount[] =>
  newestAccountsOf(blockSets).list.map(({ touched }) => touched)

/** Whether an account has content that its block does not show. */
export const hasContent = ({ codeHash, dataHash, extraCurrencies }: TouchedAccount): boolean =>
  codeHash !== undefined || dataHash !== undefined || extraCurrencies === 'unknown'

export const withoutContent = ({ account, lastLt, extraCurrencies }: TouchedAccount): ResolvedAccount => ({
  account,
  lastLt,
  code: undefined,
  data: undefined,
  extraCurrencies,
})

/** Content as far as blocks show it: whether there is code and data. */
export const unknownContent = (touched: TouchedAccount): ResolvedAccount => ({
  ...withoutContent(touched),
  code: touched.codeHash && 'unknown',
  data: touched.dataHash && 'unknown',
})

/** Content from the cell of an account with the right hash. */
export const readContent = (touched: TouchedAccount, found: Cell): ResolvedAccount => {
  const opened = openAccount(found)
  if (opened.kind === 'none') return withoutContent(touched)
  const { state, balance } = opened
  const known = { ...withoutContent(touched), extraCurrencies: toTexts(balance.extra) }
  return state.kind === 'active' ? { ...known, code: state.init.code, data: state.init.data } : known
}

/**
 * Resolves code, data and extra currencies from chain states. An account changes only by its transactions, so all are as after
 * the last block. Code that accounts had only in between is resolved, too, so that the result does not depend on batch
 * boundaries: such a state precedes the newest of the same account.
 */
export const createStateResolver = (states: ChainStates): AccountResolver => ({
  resolve: async (blockSets, signal) => {
    const last = blockSets.at(-1)
    if (last === undefined) return []
    const touched = listTouched(blockSets)
    const passing = listPassingCodes(blockSets, touched)
    try {
      const before: ResolvedAccount[] = []
      for (const { blockSet, account } of passing) {
        before.push(await resolveAccount(await openView(states, blockSet, signal), account))
      }
      // Most batches of a quiet network touch no account with content.
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

const openView = async (states: ChainStates, blockSet: DecodedBlockSet, signal: AbortSignal): Promise<StateView> => {
  const view = await states.openAt(blockSet.seqno, signal)
  expectBlock(view, blockSet)
  return view
}

type PassingCode = { readonly blockSet: DecodedBlockSet; readonly account: TouchedAccount }

/** One state for each code that no touched account has at the end. */
const listPassingCodes = (blockSets: readonly DecodedBlockSet[], newest: readonly TouchedAccount[]): PassingCode[] => {
  const known = new Set(newest.flatMap(({ codeHash }) => (codeHash === undefined ? [] : [toHex(codeHash)])))
  const passing: PassingCode[] = []
  for (const blockSet of blockSets) {
    for (const account of blockSet.accounts) {
      const key = account.codeHash && toHex(account.codeHash)
      if (key === undefined || known.has(key)) continue
      known.add(key)
      passing.push({ blockSet, account })
    }
  }
  return passing
}

/** Uses only what the blocks show: whether there is code and data, and their hashes. */
export const createBlocksOnlyResolver = (): AccountResolver => ({
  resolve: async (blockSets) => listTouched(blockSets).map(unknownContent),
})

const expectBlock = ({ block }: StateView, { seqno, rootHash }: DecodedBlockSet): void => {
  if (bytesEqual(block.rootHash, rootHash)) return
  throw new StateMismatchError(
    `Expected states after masterchain block ${seqno} with root hash ${toHex(rootHash)}, but got ${toHex(block.rootHash)}.`,
  )
}

const resolveAccount = async (view: StateView, touched: TouchedAccount): Promise<ResolvedAccount> => {
  const { account, workchain, stateHash } = touched
  const address = { workchain, hash: account.subarray(1) }
  const found = await view.findAccount(address)
  if (found === undefined || !found.hasHash(stateHash)) {
    throw new StateMismatchError(
      `Account ${formatRawAddress(address)} should have the state ${toHex(stateHash)} after masterchain block ` +
        `${view.block.seqno}, but ${found === undefined ? 'there is none' : `got ${toHex(found.hash())}`}.`,
    )
  }
  return readContent(touched, found)
}
