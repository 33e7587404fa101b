import { type ExplainedCode, explainExitCode, explainResultCode, explainSkip } from '../chain/exitCodes.ts'
import { addFees, burnedIn, type Fees, feesOf, NO_FEES } from '../chain/transactionFees.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { CellError } from '../codec/cell/errors.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { type CurrencyCollection, ZERO_CURRENCY } from '../codec/tlb/CurrencyCollection.ts'
import { openBody, readCommonMsgInfo, readMessage } from '../codec/tlb/Message.ts'
import { findStandardAddress } from '../codec/tlb/MsgAddress.ts'
import type { ShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { findJettonWallet, findVouchedItem } from '../contracts/tokens/findToken.ts'
import { findWalletKind } from '../contracts/wallets.ts'
import { type Address, addressesEqual, formatUpperRawAddress } from '../primitives/Address.ts'
import type { EmulatedTransaction, UndeliveredMessage } from './emulate.ts'
import type { Simulation, Snapshot } from './Simulation.ts'

/** What an account gained or lost. */
export type BalanceChange = {
  native: bigint
  readonly extraCurrencies: Map<number, bigint>
  /** By address of the master. */
  readonly jettons: Map<string, bigint>
  readonly nftsIn: string[]
  readonly nftsOut: string[]
}

export type FailedTransaction = {
  readonly hash: Uint8Array
  readonly account: string
  readonly phase: 'compute' | 'action'
  readonly exitCode: number | undefined
  readonly resultCode: number | undefined
  readonly reason: string
}

/** The most that a wallet can lose if every counterparty is hostile. */
export type Risk = {
  readonly sendsAll: boolean
  readonly native: bigint
  readonly jettons: ReadonlyMap<string, bigint>
  readonly nfts: readonly string[]
}

export type Summary = {
  readonly fees: Fees
  readonly feesByAccount: ReadonlyMap<string, Fees>
  readonly changes: ReadonlyMap<string, BalanceChange>
  readonly payer: string | undefined
  readonly paid: bigint
  /** Coins sent to the address that burns them: they count as balance after. */
  readonly burned: bigint
  readonly failed: readonly FailedTransaction[]
  readonly bounced: bigint
  readonly undelivered: readonly UndeliveredMessage[]
  readonly newContracts: readonly string[]
  readonly destroyed: readonly string[]
  readonly risk: Risk | undefined
}

export type SummaryInput = {
  readonly simulation: Simulation
  /** States before the first transaction. */
  readonly before: Snapshot
  readonly transactions: readonly EmulatedTransaction[]
  /** The first transaction of each message of the request; by default the first of all. */
  readonly roots?: readonly EmulatedTransaction[]
  readonly undelivered: readonly UndeliveredMessage[]
}

/** Adds up what a run did. Tokens are read from their own contracts, before and after. */
export const summarize = async (input: SummaryInput): Promise<Summary> => {
  const { simulation, before, transactions, undelivered } = input
  const [root] = transactions
  const { roots = transactions.slice(0, 1) } = input
  const feesByAccount = new Map<string, Fees>()
  for (const each of transactions) {
    const name = nameOf(each.address)
    feesByAccount.set(name, addFees(feesByAccount.get(name) ?? NO_FEES, feesOf(each.transaction)))
  }
  const ends = endsOf(transactions)
  const changes = nativeChanges(ends)
  await addTokenChanges(simulation, before, ends, changes)
  const burned = sumOf(transactions, ({ transaction, address, call }) =>
    burnedIn(transaction, address, call.context.config),
  )
  const payer = root === undefined ? undefined : nameOf(root.address)
  return {
    fees: [...feesByAccount.values()].reduce(addFees, NO_FEES),
    feesByAccount,
    changes: new Map([...changes].filter(([, change]) => !isNothing(change))),
    payer,
    paid: -sumOf([...changes.values()], ({ native }) => native) - burned,
    burned,
    failed: transactions.flatMap((each) => findFailure(each) ?? []),
    bounced: sumOf(transactions, bouncedValue),
    undelivered,
    newContracts: ends.filter(({ first, last }) => !isActive(first) && isActive(last)).map(({ name }) => name),
    destroyed: ends.filter(({ first, last }) => exists(first) && !exists(last)).map(({ name }) => name),
    risk: await assessRisk(simulation, before, roots),
  }
}

export const nameOf = formatUpperRawAddress

const sumOf = <T>(items: readonly T[], read: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + read(item), 0n)

type Ends = { readonly name: string; readonly address: Address; readonly first: ShardAccount; last: ShardAccount }

/** The states of each account before its first and after its last transaction. */
const endsOf = (transactions: readonly EmulatedTransaction[]): Ends[] => {
  const ends = new Map<string, Ends>()
  for (const { address, before, after } of transactions) {
    const name = nameOf(address)
    const known = ends.get(name)
    if (known === undefined) ends.set(name, { name, address, first: before, last: after })
    else known.last = after
  }
  return [...ends.values()]
}

const balanceOf = ({ account }: ShardAccount): CurrencyCollection => {
  const opened = openAccount(account)
  return opened.kind === 'account' ? opened.balance : ZERO_CURRENCY
}

const nativeChanges = (ends: readonly Ends[]): Map<string, BalanceChange> => {
  const changes = new Map<string, BalanceChange>()
  for (const { name, first, last } of ends) {
    const [old, now] = [balanceOf(first), balanceOf(last)]
    const change = changeOf(changes, name)
    change.native = now.grams - old.grams
    const add = (id: number, amount: bigint): void => addTo(change.extraCurrencies, id, amount)
    for (const [id, amount] of now.extra.entries()) add(id, amount)
    for (const [id, amount] of old.extra.entries()) add(id, -amount)
  }
  return changes
}

const changeOf = (changes: Map<string, BalanceChange>, name: string): BalanceChange => {
  const known = changes.get(name)
  if (known !== undefined) return known
  const fresh: BalanceChange = { native: 0n, extraCurrencies: new Map(), jettons: new Map(), nftsIn: [], nftsOut: [] }
  changes.set(name, fresh)
  return fresh
}

/** Zero sums are dropped. */
const addTo = <K>(amounts: Map<K, bigint>, key: K, amount: bigint): void => {
  const sum = (amounts.get(key) ?? 0n) + amount
  if (sum === 0n) amounts.delete(key)
  else amounts.set(key, sum)
}

const isNothing = ({ native, extraCurrencies, jettons, nftsIn, nftsOut }: BalanceChange): boolean =>
  native === 0n && extraCurrencies.size === 0 && jettons.size === 0 && nftsIn.length === 0 && nftsOut.length === 0

/** Asks every account of the run, except ordinary wallets, whether it is a token, before and after. */
const addTokenChanges = async (
  simulation: Simulation,
  before: Snapshot,
  ends: readonly Ends[],
  changes: Map<string, BalanceChange>,
): Promise<void> => {
  const [earlier, later] = [simulation.methodsAt(before), simulation.methodsAt()]
  for (const { name, address, first, last } of ends) {
    if (isOrdinaryWallet(first) || isOrdinaryWallet(last)) continue
    const [oldWallet, newWallet] = [
      isActive(first) ? await findJettonWallet(earlier, address) : undefined,
      isActive(last) ? await findJettonWallet(later, address) : undefined,
    ]
    if (oldWallet !== undefined)
      addTo(changeOf(changes, nameOf(oldWallet.owner)).jettons, nameOf(oldWallet.master), -oldWallet.balance)
    if (newWallet !== undefined)
      addTo(changeOf(changes, nameOf(newWallet.owner)).jettons, nameOf(newWallet.master), newWallet.balance)
    if (oldWallet !== undefined || newWallet !== undefined) continue
    const [oldItem, newItem] = [
      isActive(first) ? await findVouchedItem(earlier, address) : undefined,
      isActive(last) ? await findVouchedItem(later, address) : undefined,
    ]
    const [from, to] = [oldItem?.owner, newItem?.owner]
    if (from !== undefined && to !== undefined && addressesEqual(from, to)) continue
    if (from !== undefined) changeOf(changes, nameOf(from)).nftsOut.push(name)
    if (to !== undefined) changeOf(changes, nameOf(to)).nftsIn.push(name)
  }
}

const initOf = ({ account }: ShardAccount) => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init : undefined
}

const isActive = (account: ShardAccount): boolean => initOf(account) !== undefined

const exists = ({ account }: ShardAccount): boolean => openAccount(account).kind === 'account'

const isOrdinaryWallet = (account: ShardAccount): boolean => {
  const code = initOf(account)?.code
  return code !== undefined && findWalletKind(code.hash())?.walletType !== undefined
}

const findFailure = ({ transaction, cell, address }: EmulatedTransaction): FailedTransaction | undefined => {
  const { description } = transaction
  if (!('computePhase' in description)) return undefined
  const { computePhase, action } = description
  const own = { hash: cell.hash(), account: nameOf(address), exitCode: undefined, resultCode: undefined }
  if (computePhase.kind === 'skipped') {
    // Coins that stay with an account whose code did not run are an ordinary transfer.
    const isTransfer = /^no_/.test(computePhase.reason) && !('bounce' in description && description.bounce)
    return isTransfer ? undefined : { ...own, phase: 'compute', reason: explainSkip(computePhase.reason).meaning }
  }
  if (!computePhase.success) {
    const { exitCode } = computePhase
    return {
      ...own,
      phase: 'compute',
      exitCode,
      reason: describeCode('the contract ended with exit code', exitCode, explainExitCode(exitCode)),
    }
  }
  if (action === undefined || action.success) return undefined
  const { resultCode } = action
  return {
    ...own,
    phase: 'action',
    resultCode,
    reason: describeCode('the actions ended with result code', resultCode, explainResultCode(resultCode)),
  }
}

const describeCode = (what: string, code: number, { meaning }: ExplainedCode): string => `${what} ${code}: ${meaning}`

const bouncedValue = ({ transaction }: EmulatedTransaction): bigint => {
  if (transaction.inMsg === undefined) return 0n
  const info = readCommonMsgInfo(openCell(transaction.inMsg))
  return info.kind === 'internal' && info.bounced ? info.value.grams : 0n
}

const JETTON_TRANSFER = 0x0f8a7ea5
const JETTON_BURN = 0x595f07bc
const NFT_TRANSFER = 0x5fcc3d14

/** Of the messages that a wallet sends: the coins attached, and the tokens given away. `undefined` where no wallet sends any. */
const assessRisk = async (
  simulation: Simulation,
  before: Snapshot,
  roots: readonly EmulatedTransaction[],
): Promise<Risk | undefined> => {
  const [first] = roots.filter(isOrderOfWallet)
  if (first === undefined) return undefined
  const own = roots.filter((root) => isOrderOfWallet(root) && addressesEqual(root.address, first.address))
  const run = simulation.methodsAt(before)
  const jettons = new Map<string, bigint>()
  const nfts = new Set<string>()
  let native = 0n
  for (const { address, outMessages, transaction } of own) {
    native += transaction.totalFees.grams
    for (const cell of outMessages) {
      const { info, body } = readWhole(cell, readMessage, 'A message')
      if (info.kind !== 'internal') continue
      const to = findStandardAddress(info.destination)
      native += info.fwdFee
      if (to === undefined || addressesEqual(to, address)) continue
      native += info.value.grams
      const order = readTokenOrder(openBody(body))
      if (order?.kind === 'jetton') {
        const wallet = await findJettonWallet(run, to)
        if (wallet !== undefined && addressesEqual(wallet.owner, address))
          addTo(jettons, nameOf(wallet.master), order.amount)
      }
      if (order?.kind === 'nft') {
        const item = await findVouchedItem(run, to)
        if (item?.owner !== undefined && addressesEqual(item.owner, address)) nfts.add(nameOf(to))
      }
    }
  }
  const sendsAll = own.some(({ outMessages, after }) => outMessages.length > 0 && balanceOf(after).grams === 0n)
  return { sendsAll, native, jettons, nfts: [...nfts] }
}

/** A wallet gives nothing away by what others send to it. */
const isOrderOfWallet = ({ transaction: { inMsg }, before, after }: EmulatedTransaction): boolean =>
  inMsg !== undefined &&
  readCommonMsgInfo(openCell(inMsg)).kind === 'externalIn' &&
  (isOrdinaryWallet(before) || isOrdinaryWallet(after))

type TokenOrder = { readonly kind: 'jetton'; readonly amount: bigint } | { readonly kind: 'nft' }

const readTokenOrder = (r: ReturnType<typeof openBody>): TokenOrder | undefined => {
  try {
    const op = r.readUint(32)
    if (op === NFT_TRANSFER) return { kind: 'nft' }
    if (op !== JETTON_TRANSFER && op !== JETTON_BURN) return undefined
    r.skipBits(64)
    return { kind: 'jetton', amount: r.readCoins() }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** The states of the accounts that were used, by name: for the last member of an answer. */
export const finalStates = async (simulation: Simulation): Promise<ReadonlyMap<string, ShardAccount>> =>
  new Map((await simulation.accounts()).map(({ address, current }) => [nameOf(address), current]))
