import type { PreviousBlocks, RunContext, TransactionCall, TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { readMessage } from '../../codec/tlb/Message.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'
import { formatBlockId } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { ReplayFailedError, UnsupportedKindError } from '../errors.ts'
import { type Difference, listDifferences } from './compare.ts'
import { globalVersionOf, type ReplayInputs, type ReplaySource } from './ReplayInputs.ts'

/** How exact a replay is. */
export type Verdict = {
  /** `exact`: the transaction has the hash of the one on chain. `state_exact`: only the new account state has. */
  readonly replay: 'exact' | 'state_exact' | 'differs' | 'partial' | 'changed'
  readonly differences: readonly Difference[]
  /** What could not be had. */
  readonly missing: readonly ('libraries' | 'previous_blocks')[]
  readonly warning: string | undefined
}

/** A transaction that was run again, ready to be run once more step by step. */
export type Replay = {
  readonly inputs: ReplayInputs
  /** The transaction on chain. */
  readonly chain: Cell
  /** The run of it: account, message, lt and context. */
  readonly call: TransactionCall
  readonly run: TransactionRun
  readonly verdict: Verdict
  /** Libraries that the runs found, and hashes of those that they did not. */
  readonly libraries: ReadonlyMap<string, Cell>
  readonly missingLibraries: readonly Uint8Array[]
  readonly previousBlocks: PreviousBlocks | undefined
  readonly hasPreviousBlocks: boolean
}

/** The account, configuration, time or seed are others than on chain. */
export type ReplayChanges = {
  readonly account?: ((before: ShardAccount, address: Address) => ShardAccount) | undefined
  readonly config?: ((before: Cell) => Cell) | undefined
  readonly now?: number | undefined
}

type ReplayMachine = Pick<VirtualMachine, 'runTransaction' | 'supportedVersion'>

/**
 * Runs the account's transactions of the block from the state before it, up to the wanted one, and compares each with the chain. Code
 * that reads previous blocks gets them; where a run differs without them, all run again with them.
 */
export const replayTransaction = async (
  vm: ReplayMachine,
  inputs: ReplayInputs,
  source: ReplaySource,
  { changes, signal }: { readonly changes?: ReplayChanges | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Replay> => {
  const libraries = new LibrarySearch(source)
  const attempt = (blocks: PreviousBlocks | undefined) => runAll(vm, inputs, libraries, blocks, signal)
  const transactions = inputs.transactions.map(openTransaction)
  const isRead = readsPreviousBlocks(inputs, transactions)
  let previousBlocks = isRead ? await source.getPreviousBlocks() : undefined
  let hasPreviousBlocks = isRead
  let attempted = await attempt(previousBlocks)
  if (!attempted.isExact && !hasPreviousBlocks) {
    previousBlocks = await source.getPreviousBlocks()
    hasPreviousBlocks = previousBlocks !== undefined
    if (hasPreviousBlocks) attempted = await attempt(previousBlocks)
  }
  const { failed } = attempted
  if (failed !== undefined) throw failed
  const chain = inputs.transactions.at(-1)!
  const { call, run } =
    changes === undefined ? attempted : await runChanged(vm, attempted.call, inputs.address, changes, signal)
  const { found } = libraries
  return {
    inputs,
    chain,
    // The node is gone when it runs again; what it had to give is known.
    call: { ...call, context: { ...call.context, findLibrary: (hash) => found.get(toHex(hash)) } },
    run,
    verdict: judge(vm, inputs, { chain, run, libraries, isChanged: changes !== undefined }),
    libraries: found,
    missingLibraries: libraries.missing,
    previousBlocks,
    hasPreviousBlocks,
  }
}

type Attempt = {
  readonly isExact: boolean
  readonly call: TransactionCall
  readonly run: TransactionRun
  /** An earlier transaction differs. */
  readonly failed: ReplayFailedError | undefined
}

const runAll = async (
  vm: ReplayMachine,
  inputs: ReplayInputs,
  libraries: LibrarySearch,
  previousBlocks: PreviousBlocks | undefined,
  signal: AbortSignal | undefined,
): Promise<Attempt> => {
  const { block, config, transactions } = inputs
  const context = { config, previousBlocks, findLibrary: libraries.find, randomSeed: block.randomSeed }
  let account = inputs.before
  for (const [at, cell] of transactions.entries()) {
    const isWanted = at === transactions.length - 1
    const call = toCall(account, openTransaction(cell), context)
    const run = await runOnce(vm, call, signal)
    const isExact = run.kind === 'executed' && run.transaction.hasHash(cell.hash())
    if (isWanted) return { isExact, call, run, failed: undefined }
    if (!isExact) return { isExact, call, run, failed: describeFailed(inputs, cell, run) }
    account = run.account
  }
  throw new TypeError('A replay must have at least one transaction.')
}

const runOnce = async (vm: ReplayMachine, call: TransactionCall, signal: AbortSignal | undefined) => {
  try {
    return await vm.runTransaction(call, signal)
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.code !== 'vm_input_invalid') throw cause
    throw new ReplayFailedError(`The transaction cannot be run: ${cause.message}`, { cause })
  }
}

const describeFailed = (inputs: ReplayInputs, cell: Cell, run: TransactionRun): ReplayFailedError => {
  const { block, lt } = inputs
  const hint = unversionedRules(inputs)
  const earlier = openTransaction(cell)
  const members = run.kind === 'executed' ? listDifferences(cell, run.transaction).map(({ member }) => member) : []
  const reason = run.kind === 'executed' ? `it differs in ${members.slice(0, 5).join(', ')}` : run.reason
  return new ReplayFailedError(
    `Transaction ${toHex(cell.hash())} at logical time ${earlier.lt}, which comes before ${lt} in block ${formatBlockId(block.id)}, came out differently: ${reason}.${hint === undefined ? '' : ` ${hint}`}`,
  )
}

/** The wanted transaction alone runs on a changed world: those before it are as on chain. */
const runChanged = async (
  vm: ReplayMachine,
  { account, context, ...rest }: TransactionCall,
  address: Address,
  changes: ReplayChanges,
  signal: AbortSignal | undefined,
) => {
  const call = {
    ...rest,
    account: changes.account?.(account, address) ?? account,
    context: {
      ...context,
      config: changes.config?.(context.config) ?? context.config,
      now: changes.now ?? context.now,
    },
  }
  return { call, run: await runOnce(vm, call, signal) }
}

const openTransaction = (cell: Cell): Transaction => readWhole(cell, readTransaction, 'A transaction')

const toCall = (
  account: ShardAccount,
  { lt, now, inMsg, description }: Transaction,
  context: Omit<RunContext, 'now'>,
): TransactionCall => ({
  account,
  cause: causeOf(inMsg, description),
  lt,
  context: { ...context, now },
  ignoreSignatures: false,
  foreign: hasCode(account) ? 'call' : 'code',
  withActions: true,
  log: 'none',
})

const causeOf = (inMsg: Cell | undefined, description: Transaction['description']): TransactionCall['cause'] => {
  if (description.kind === 'tick_tock') return { kind: description.isTock ? 'tock' : 'tick' }
  if (description.kind === 'ord' && inMsg !== undefined) return { kind: 'message', message: inMsg }
  throw new UnsupportedKindError(
    `Only ordinary, tick and tock transactions can be replayed; this one is of the kind ${description.kind}.`,
  )
}

const codeOf = ({ account }: ShardAccount): Cell | undefined => {
  const opened = openAccount(account)
  return opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.code : undefined
}

const hasCode = (account: ShardAccount): boolean => codeOf(account) !== undefined

/** Finds each library once and notes which there are. */
class LibrarySearch {
  readonly found = new Map<string, Cell>()
  readonly missing: Uint8Array[] = []
  private readonly asked = new Map<string, Promise<Cell | undefined>>()
  private readonly source: ReplaySource

  constructor(source: ReplaySource) {
    this.source = source
  }

  readonly find = (hash: Uint8Array): Promise<Cell | undefined> => {
    const key = toHex(hash)
    let asked = this.asked.get(key)
    if (asked === undefined) {
      asked = this.source.findLibrary(hash)
      this.asked.set(key, asked)
      asked.then(
        (library) => {
          if (library === undefined) this.missing.push(hash)
          else this.found.set(key, library)
        },
        () => this.asked.delete(key),
      )
    }
    return asked
  }
}

type Judged = {
  readonly chain: Cell
  readonly run: TransactionRun
  readonly libraries: LibrarySearch
  readonly isChanged: boolean
}

const judge = (vm: ReplayMachine, inputs: ReplayInputs, { chain, run, libraries, isChanged }: Judged): Verdict => {
  const version = globalVersionOf(inputs.config)
  const newer =
    version > vm.supportedVersion
      ? `The block has global version ${version}; this machine knows the rules up to ${vm.supportedVersion}.`
      : undefined
  if (run.kind === 'executed' && run.transaction.hasHash(chain.hash()) && !isChanged)
    return { replay: 'exact', differences: [], missing: [], warning: newer }
  const warning = newer ?? unversionedRules(inputs)
  const differences =
    run.kind === 'executed'
      ? listDifferences(chain, run.transaction)
      : [{ member: 'accepted', chain: 'true', replay: 'false' }]
  const missing = libraries.missing.length > 0 ? (['libraries'] as const) : []
  if (isChanged) return { replay: 'changed', differences, missing, warning }
  if (missing.length > 0) return { replay: 'partial', differences, missing, warning }
  const isStateExact = run.kind === 'executed' && bytesEqual(newStateOf(chain), newStateOf(run.transaction))
  return { replay: isStateExact ? 'state_exact' : 'differs', differences, missing, warning }
}

/** What a difference may come from in the first years of a network. */
const unversionedRules = ({ config }: ReplayInputs): string | undefined =>
  globalVersionOf(config) === 0
    ? 'The configuration of the block names no global version: some rules of that time, such as the gas of cells that are loaded again, were changed without one.'
    : undefined

const newStateOf = (cell: Cell): Uint8Array => openTransaction(cell).stateUpdate.newHash

/** Whether code that may run has the bits of an instruction that reads previous blocks. It may be data that looks so. */
const readsPreviousBlocks = ({ before }: ReplayInputs, transactions: readonly Transaction[]): boolean => {
  const codes = transactions.map(({ inMsg }) => inMsg && readMessage(openCell(inMsg)).init?.value.code)
  const seen = new Set<string>()
  return [codeOf(before), ...codes].some((code) => code !== undefined && hasReadingBits(code, seen))
}

const MAX_SEARCHED_CELLS = 10_000
/** PREVMCBLOCKS, PREVKEYBLOCK, PREVMCBLOCKS_100; GETPARAM 13. */
const READING = [0xf834, 0xf82d]

const hasReadingBits = (cell: Cell, seen: Set<string>): boolean => {
  const key = toHex(cell.hash())
  // Code of that size is taken to read them.
  if (seen.size >= MAX_SEARCHED_CELLS) return true
  if (seen.has(key)) return false
  seen.add(key)
  if (cell.isExotic) return false
  const reader = openCell(cell)
  let window = 0
  for (let at = 0; at < cell.bits; at++) {
    window = ((window << 1) | (reader.readBit() ? 1 : 0)) & 0xffff
    if (at >= 15 && READING.includes(window)) return true
  }
  for (let k = 0; k < cell.refCount; k++) if (hasReadingBits(cell.ref(k), seen)) return true
  return false
}
