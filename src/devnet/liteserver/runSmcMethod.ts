import { randomBytes } from 'node:crypto'
import type { FindLibrary, MethodCall, MethodRun } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { wrapMerkleProof } from '../../codec/cell/merkle.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type ExistingAccount, openAccount } from '../../codec/tlb/Account.ts'
import type { AddrStd } from '../../codec/tlb/MsgAddress.ts'
import { type StateInit, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { encodeVmStack, readVmStack, type VmStack } from '../../codec/tlb/VmStack.ts'
import { REQUEST_VM_STACK_LIMITS, VmStackLimitError, type VmValue } from '../../codec/tlb/VmValue.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { previousBlocks } from '../store/previousBlocks.ts'
import { prove, proveLoaded } from '../store/prove.ts'
import { findAccount, type LocatedAccount, locateAccount, proveAccount } from './accounts.ts'
import {
  type BlockAndState,
  loadMasterBlockAndState,
  NO_BLOCK,
  type OpenedState,
  openMasterExtra,
  openState,
} from './blockAccess.ts'
import { type DescribedRun, encodeFullC7, encodeShortC7 } from './initC7.ts'
import { type LiteFunction, type LiteserverContext, LiteserverError, REQUEST_ERROR } from './LiteFunction.ts'

const MAX_BYTES = 65535

/** The arguments of a get-method. No bytes at all stand for none. */
const readMethodParams = (bytes: Uint8Array): VmStack => {
  if (bytes.length > MAX_BYTES) throw new LiteserverError(REQUEST_ERROR, 'more than 64k parameter bytes passed')
  if (bytes.length === 0) return []
  const stack = readStack(decodeParams(bytes))
  if (stack.some(holdsContinuation)) throw notStack()
  return stack
}

const decodeParams = (bytes: Uint8Array): Cell => {
  try {
    return decodeSingleBoc(bytes)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    throw new LiteserverError(REQUEST_ERROR, `cannot deserialize parameter list boc: ${error.message}`)
  }
}

const readStack = (root: Cell): VmStack => {
  try {
    return readWhole(root, (r) => readVmStack(r, REQUEST_VM_STACK_LIMITS), 'A stack')
  } catch (error) {
    if (error instanceof VmStackLimitError) {
      throw new LiteserverError(REQUEST_ERROR, `error deserializing parameter list: ${error.message}`)
    }
    if (error instanceof CodedError) throw notStack()
    throw error
  }
}

const notStack = (): LiteserverError =>
  new LiteserverError(REQUEST_ERROR, 'parameter list boc cannot be deserialized as a VmStack')

/** Code is not taken from outside. The depth of tuples is bounded by the limits they were read with. */
const holdsContinuation = (value: VmValue): boolean =>
  value.kind === 'continuation' || (value.kind === 'tuple' && value.items.some(holdsContinuation))

/** An account whose code can be run. */
export type ActiveAccount = Pick<ExistingAccount, 'balance' | 'storage'> & {
  readonly address: AddrStd
  readonly init: StateInit
}

type MethodOutcome = Pick<MethodRun, 'exitCode' | 'stack' | 'loadedCells'> & { readonly described: DescribedRun }

type MethodRequest = {
  readonly methodId: bigint
  readonly stack: VmStack
  /** Reports the cells that the run loaded, for a proof. */
  readonly withLoadedCells: boolean
}

const GAS_LIMIT = 300_000
/** A request took too long. */
const TIMEOUT = -503

/** The account in a cell, or `undefined` where it has no code to run. */
const openActiveAccount = (cell: Cell): ActiveAccount | undefined => {
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
const runMethod = async (
  { store, vm }: LiteserverContext,
  located: LocatedAccount,
  account: ActiveAccount,
  { methodId, stack, withLoadedCells }: MethodRequest,
): Promise<MethodOutcome | undefined> => {
  if (vm === undefined) throw new LiteserverError(REQUEST_ERROR, 'this server does not run get-methods')
  if (BigInt.asIntN(32, methodId) !== methodId) {
    throw new LiteserverError(REQUEST_ERROR, `method id ${methodId} does not fit 32 bits`)
  }
  const { holder } = located
  if (holder === undefined) return undefined
  const state = openState(holder.state)
  const master = findMaster(store, located.reference, state)
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
    if (error.retryable || error.code === 'vm_timeout') throw new LiteserverError(TIMEOUT, 'timeout')
    throw new LiteserverError(REQUEST_ERROR, error.message)
  }
}

/** The masterchain block whose configuration is in force: the reference, or the one that a shard block refers to. */
const findMaster = (store: ChainStore, reference: BlockAndState, { opened }: OpenedState): BlockAndState => {
  if (reference.id.workchain === masterchain) return reference
  const { masterRef } = opened
  if (masterRef === undefined) throw new LiteserverError(REQUEST_ERROR, 'masterchain ref block is not available')
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

const WITH_PROOFS = 1
const WITH_STATE_PROOF = 2
const WITH_RESULT = 4
const WITH_C7 = 8
const WITH_LIB_EXTRAS = 16
const FULL_C7 = 32
const KNOWN_MODES = 0x3f

/** Exit code for an account that is not there, or has no code to run. */
const NO_CODE = -0x100
const NO_BYTES = new Uint8Array()

/** Runs a get-method on an account as it is after a block. */
export const runSmcMethod: LiteFunction<'liteServer.runSmcMethod'> = async (context, request) => {
  const { mode, id, account, methodId, params } = request
  if ((mode & ~KNOWN_MODES) !== 0) throw new LiteserverError(REQUEST_ERROR, 'unsupported mode in runSmcMethod')
  const stack = readMethodParams(params)
  const located = locateAccount(context.store, id, account)
  const cell = located.holder && findAccount(located.holder.state, account)?.account
  const active = cell && openActiveAccount(cell)
  const withProof = (mode & WITH_STATE_PROOF) !== 0
  const outcome = active && (await runMethod(context, located, active, { methodId, stack, withLoadedCells: withProof }))
  return {
    mode,
    id: located.reference.id,
    shardblk: located.holder?.id ?? NO_BLOCK,
    ...((mode & WITH_PROOFS) === 0 ? {} : proveAccount(located, account)),
    stateProof: !withProof ? undefined : encodeStateProof(cell, outcome),
    initC7: (mode & WITH_C7) === 0 ? undefined : encodeC7(outcome, mode),
    libExtras: (mode & WITH_LIB_EXTRAS) === 0 ? undefined : NO_BYTES,
    exitCode: outcome?.exitCode ?? NO_CODE,
    result: encodeResult(outcome?.stack, mode),
  }
}

/** The proof of the account cells that were read to run the method, and of those that the VM loaded. */
const encodeStateProof = (account: Cell | undefined, outcome: MethodOutcome | undefined): Uint8Array => {
  if (account === undefined) return NO_BYTES
  if (outcome === undefined) return encodeBoc([prove(account, () => {}).proof])
  const loaded = outcome.loadedCells
  if (loaded === undefined) return encodeBoc([wrapMerkleProof(account)])
  return encodeBoc([proveLoaded(account, openActiveAccount, (cell) => loaded.has(toHex(cell.hash())))])
}

const encodeC7 = (outcome: MethodOutcome | undefined, mode: number): Uint8Array => {
  if (outcome === undefined) return NO_BYTES
  return (mode & FULL_C7) === 0 ? encodeShortC7(outcome.described) : encodeFullC7(outcome.described)
}

/** A result that cannot be written is refused even where it is not asked for. */
const encodeResult = (stack: VmStack | undefined, mode: number): Uint8Array | undefined => {
  try {
    const bytes = stack === undefined ? NO_BYTES : encodeVmStack(stack, REQUEST_VM_STACK_LIMITS)
    return (mode & WITH_RESULT) === 0 ? undefined : bytes
  } catch (error) {
    if (error instanceof VmStackLimitError) throw new LiteserverError(REQUEST_ERROR, 'cannot serialize resulting stack')
    throw error
  }
}
