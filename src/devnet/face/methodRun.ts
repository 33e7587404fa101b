import { randomBytes } from 'node:crypto'
import type { FindLibrary, MethodCall, MethodRun } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { type ExistingAccount, openAccount } from '../../codec/tlb/Account.ts'
import type { AddrStd } from '../../codec/tlb/MsgAddress.ts'
import { type StateInit, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { DescribedRun } from './initC7.ts'
import type { FaceContext } from './LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'
import type { AccountPlace } from './locateAccount.ts'
import { type OpenedState, openMasterExtra, openState } from './openState.ts'
import { previousBlocks } from './previousBlocks.ts'
import { type BlockAndState, loadMasterBlockAndState } from './referenceBlock.ts'

/** An account whose code can be run. */
export type ActiveAccount = Pick<ExistingAccount, 'balance' | 'storage'> & {
  readonly address: AddrStd
  readonly init: StateInit
}

export type MethodOutcome = Pick<MethodRun, 'exitCode' | 'stack' | 'loadedCells'> & { readonly described: DescribedRun }

export type MethodQuestion = {
  readonly methodId: bigint
  readonly stack: VmStack
  /** Asks which cells the run loaded, for a proof. */
  readonly withLoadedCells: boolean
}

const GAS_LIMIT = 300_000
/** A question took too long. */
const TIMEOUT = -503

/** The account in a cell, or `undefined` where it has no code to run. */
export const openActiveAccount = (cell: Cell): ActiveAccount | undefined => {
  try {
    const account = openAccount(cell)
    if (account.kind === 'none' || account.state.kind !== 'active' || account.address.kind !== 'std') return undefined
    const { address, balance, storage } = account
    return { address, balance, storage, init: account.state.init }
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** Runs a method of an account, with the configuration and libraries of the masterchain and the time of its own shard. */
export const runMethod = async (
  { store, vm }: FaceContext,
  place: AccountPlace,
  account: ActiveAccount,
  { methodId, stack, withLoadedCells }: MethodQuestion,
): Promise<MethodOutcome | undefined> => {
  if (vm === undefined) throw new LiteRefusal(REQUEST_ERROR, 'this server does not run get-methods')
  if (BigInt.asIntN(32, methodId) !== methodId) {
    throw new LiteRefusal(REQUEST_ERROR, `method id ${methodId} does not fit 32 bits`)
  }
  const { holder } = place
  if (holder === undefined) return undefined
  const state = openState(holder.state)
  const master = findMaster(store, place.reference, state)
  const call: MethodCall = {
    ...createCall(master, account, state, Number(methodId), stack),
    withLoadedCells,
  }
  const described = { call, address: account.address, lt: state.genLt, duePayment: account.storage.duePayment ?? 0n }
  try {
    const { exitCode, stack: result, loadedCells } = await vm.runMethod(call)
    return { exitCode, stack: result, loadedCells, described }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    if (error.retryable || error.code === 'vm_timeout') throw new LiteRefusal(TIMEOUT, 'timeout')
    throw new LiteRefusal(REQUEST_ERROR, error.message)
  }
}

/** The masterchain block whose configuration is in force: the reference, or the one that a shard block refers to. */
const findMaster = (store: ChainStore, reference: BlockAndState, { opened }: OpenedState): BlockAndState => {
  if (reference.id.workchain === masterchain) return reference
  const { masterRef } = opened
  if (masterRef === undefined) throw new LiteRefusal(REQUEST_ERROR, 'masterchain ref block is not available')
  const { seqno, rootHash, fileHash } = masterRef
  return loadMasterBlockAndState(store, { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash })
}

const createCall = (
  master: BlockAndState,
  { address, balance, storage, init }: ActiveAccount,
  { genUtime: now, genLt: lt }: Pick<OpenedState, 'genUtime' | 'genLt'>,
  methodId: number,
  stack: VmStack,
): MethodCall => {
  const state = openState(master.state)
  const ownLibraries = new Dict(simpleLibsType, init.library)
  const findLibrary: FindLibrary = (hash) => {
    const library = state.opened.libraries.find(hash)?.lib ?? ownLibraries.find(hash)?.root
    return library?.hasHash(hash) === true ? library : undefined
  }
  return {
    contract: {
      address: { workchain: address.workchain, hash: address.hash },
      code: init.code ?? emptyCell,
      data: init.data ?? emptyCell,
      balance,
      duePayment: storage.duePayment ?? 0n,
    },
    methodId,
    stack,
    gasLimit: GAS_LIMIT,
    context: {
      config: openMasterExtra(state).config.config.root as Cell,
      now,
      lt,
      randomSeed: randomBytes(32),
      previousBlocks: previousBlocks(master.id, master.state),
      findLibrary,
    },
    log: 'none',
  }
}
