import type { ContractGetMethodResult, ContractState, Transaction, TupleItem } from '@ton/core'
import type { MethodCall, MethodRun } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { emptyCell } from '../codec/cell/CellWriter.ts'
import { decodeBoc } from '../codec/cell/decodeBoc.ts'
import { type ExistingAccount, openAccount } from '../codec/tlb/Account.ts'
import { NO_EXTRA_CURRENCIES } from '../codec/tlb/CurrencyCollection.ts'
import type { StateInit } from '../codec/tlb/StateInit.ts'
import { getMethodId } from '../codec/tlb/VmValue.ts'
import { getTransactions } from '../devnet/liteserver/transactions.ts'
import type { Network } from '../devnet/network/createNetwork.ts'
import { ControlInputError } from '../devnet/network/errors.ts'
import { findHeadAccount, viewFromHead } from '../devnet/network/headContext.ts'
import { type Address, formatRawAddress } from '../primitives/Address.ts'
import { core, toBoc, toCoreCell, toExtraCurrency, toStack, toTuple } from './core.ts'
import { GetMethodError } from './errors.ts'

/** An account after the newest block. One of a forked network is fetched when it is first read. */
const findAccount = async ({ store, liteserver }: Network, address: Address): Promise<ExistingAccount | undefined> => {
  await liteserver.fork?.ensure(address)
  const cell = findHeadAccount(store, address)?.account?.account
  const account = cell && openAccount(cell)
  return account?.kind === 'account' ? account : undefined
}

export type ActiveAccount = Pick<ExistingAccount, 'balance' | 'storage'> & { readonly init: StateInit }

/** An account with code. */
export const findActive = async (network: Network, address: Address): Promise<ActiveAccount | undefined> => {
  const account = await findAccount(network, address)
  if (account?.state.kind !== 'active') return undefined
  return { balance: account.balance, storage: account.storage, init: account.state.init }
}

export const getBalance = async (network: Network, address: Address): Promise<bigint> =>
  (await findAccount(network, address))?.balance.grams ?? 0n

/** The state of an account as providers of contracts have it. */
export const getContractState = async (network: Network, address: Address): Promise<ContractState> => {
  const account = await findAccount(network, address)
  const found = findHeadAccount(network.store, address)?.account
  return {
    balance: account?.balance.grams ?? 0n,
    extracurrency: account === undefined ? null : toExtraCurrency(account.balance),
    last: found === undefined ? null : { lt: found.lastTransLt, hash: Buffer.from(found.lastTransHash) },
    state: toContractState(account),
  }
}

const toContractState = (account: ExistingAccount | undefined): ContractState['state'] => {
  if (account === undefined || account.state.kind === 'uninit') return { type: 'uninit' }
  if (account.state.kind === 'frozen') return { type: 'frozen', stateHash: Buffer.from(account.state.stateHash) }
  const { code, data } = account.state.init
  return { type: 'active', code: toBoc(code), data: toBoc(data) }
}

/** Sets parts of the state of an account; the others stay. */
export const setState = async (
  network: Network,
  address: Address,
  change: { readonly code: Cell } | { readonly data: Cell },
): Promise<void> => {
  const init = (await findActive(network, address))?.init ?? NO_STATE
  await network.controls.setAccount({
    address,
    balance: undefined,
    state: { kind: 'active', init: { ...init, ...change } },
  })
}

const NO_STATE: StateInit = {
  fixedPrefixLength: undefined,
  special: undefined,
  code: undefined,
  data: undefined,
  library: undefined,
}

export const setBalance = async (network: Network, address: Address, grams: bigint): Promise<void> => {
  const extra = (await findAccount(network, address))?.balance.extra ?? NO_EXTRA_CURRENCIES
  await network.controls.setAccount({ address, balance: { grams, extra }, state: undefined })
}

/** As of liteservers. */
const GAS_LIMIT = 300_000
const RANDOM_SEED = new Uint8Array(32)

/** Runs a get-method after the newest block, at the time of the network. */
export const runGetMethod = async (
  network: Network,
  address: Address,
  name: string | number,
  args: TupleItem[],
  run: (call: MethodCall) => Promise<MethodRun>,
): Promise<ContractGetMethodResult & { gasUsed: bigint; stackItems: TupleItem[] }> => {
  const account = await findActive(network, address)
  if (account?.init.code === undefined) {
    throw new ControlInputError(
      `The account ${formatRawAddress(address)} has no code to run: deploy the contract first.`,
    )
  }
  const { config, previousBlocks, findLibrary } = viewFromHead(network.store)
  const done = await run({
    contract: {
      address,
      code: account.init.code,
      data: account.init.data ?? emptyCell,
      balance: account.balance,
      duePayment: account.storage.duePayment ?? 0n,
    },
    methodId: typeof name === 'number' ? name : getMethodId(name),
    stack: toStack(args),
    gasLimit: GAS_LIMIT,
    context: {
      config,
      previousBlocks,
      findLibrary,
      now: network.controls.getStatus().utime,
      lt: findHeadAccount(network.store, address)?.genLt ?? 0n,
      randomSeed: RANDOM_SEED,
    },
    log: 'none',
  })
  const gasUsed = BigInt(done.gasUsed)
  if (done.exitCode !== 0 && done.exitCode !== 1) throw new GetMethodError(done.exitCode, gasUsed)
  const stackItems = toTuple(done.stack)
  return { stack: new (core().TupleReader)(stackItems), stackItems, gasUsed }
}

const PAGE = 16

/** Transactions of an account, newest first, from one on. */
export const listAccountTransactions = async (
  { liteserver }: Network,
  { workchain, hash: id }: Address,
  from: { readonly lt: bigint; readonly hash: Uint8Array },
  limit = PAGE,
): Promise<Transaction[]> => {
  const found: Transaction[] = []
  let next = from
  // The history of a fork begins at the fork block.
  const oldest = liteserver.fork?.endLt ?? 0n
  while (found.length < limit && next.lt > oldest) {
    const count = Math.min(PAGE, limit - found.length)
    const { transactions } = await getTransactions(liteserver, { count, account: { workchain, id }, ...next })
    const page = transactions.length === 0 ? [] : decodeBoc(transactions).map(toCoreTransaction)
    found.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < count) break
    next = { lt: last.prevTransactionLt, hash: hashOf(last.prevTransactionHash) }
  }
  return found
}

const toCoreTransaction = (cell: Cell): Transaction => core().loadTransaction(toCoreCell(cell).beginParse())

const hashOf = (number: bigint): Uint8Array => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
