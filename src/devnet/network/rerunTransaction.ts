import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RunContext, TransactionCall, TransactionRun, VirtualMachine } from '../../chain/ports.ts'
import type { RecordOptions, VmRecording } from '../../chain/recording.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { accountNoneCell } from '../../codec/tlb/Account.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { type AccountBlock, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { openState } from '../liteserver/blockAccess.ts'
import type { StoredBlock } from '../store/blockRow.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { TransactionNotFoundError, TransactionRunError } from './errors.ts'
import { viewFrom } from './headContext.ts'

type FoundTransaction = { readonly block: StoredBlock; readonly accountBlock: AccountBlock; readonly lt: bigint }

const NO_ACCOUNT: ShardAccount = { account: accountNoneCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
/** How long the search goes on before others get a turn. */
const SLICE_MS = 10

/** Runs a transaction again from what its account was before it, and gives the log of the virtual machine. */
export const rerunTransaction = async (
  store: ChainStore,
  vm: Pick<VirtualMachine, 'runTransaction'>,
  hash: Uint8Array,
): Promise<string> => {
  const { block, accountBlock, lt } = await findTransaction(store, hash)
  let log = ''
  await rerunAccountBlock(store, block, accountBlock, lt, async (call) => {
    const run = await vm.runTransaction(call.lt === lt ? { ...call, log: 'stack' } : call)
    if (run.kind === 'executed') log = run.log ?? ''
    return run
  })
  return log
}

/** Runs all transactions of an account in a block again, and records how. */
export const recordAccountBlock = async (
  store: ChainStore,
  vm: Pick<VirtualMachine, 'recordTransaction'>,
  block: StoredBlock,
  account: Uint8Array,
  options: RecordOptions,
): Promise<readonly { readonly lt: bigint; readonly recording: VmRecording }[]> => {
  const accountBlock = openAccountBlocks(openBlockExtra(openBlock(store.getRoot(block.id)).extra)).find(account)
  const last = accountBlock?.transactions.entries().at(-1)
  const recordings: { lt: bigint; recording: VmRecording }[] = []
  if (accountBlock === undefined || last === undefined) return recordings
  await rerunAccountBlock(store, block, accountBlock, last[0], async (call) => {
    const { run, recording } = await vm.recordTransaction(call, options)
    if (recording !== undefined) recordings.push({ lt: call.lt, recording })
    return run
  })
  return recordings
}

/** Runs the transactions of an account in a block again, up to one, each from what the one before it left. */
const rerunAccountBlock = async (
  store: ChainStore,
  block: StoredBlock,
  { accountAddr, transactions }: AccountBlock,
  upTo: bigint,
  run: (call: TransactionCall) => Promise<TransactionRun>,
): Promise<void> => {
  let account = findAccountBefore(store, block, accountAddr)
  const context = contextOf(store, block.id)
  for (const [lt, cell] of transactions.entries()) {
    const transaction = readTransaction(openCell(cell))
    const made = await runAgain(() =>
      run({
        account,
        cause: causeOf(transaction),
        lt,
        context: { ...context, now: transaction.now },
        ignoreSignatures: false,
        log: 'none',
      }),
    )
    if (made.kind !== 'executed' || !made.transaction.hasHash(cell.hash())) {
      throw new TransactionRunError(
        `The transaction of logical time ${lt} in block ${formatBlockId(block.id)} came out differently when it was run again: its account was changed by other means than transactions.`,
      )
    }
    if (lt === upTo) return
    account = made.account
  }
  throw new TypeError('A transaction that was found in a block is not there any more.')
}

/** Where a transaction is, among the blocks whose states are kept; `undefined` if it is in none of them. */
export const findTransactionPosition = async (
  store: ChainStore,
  hash: Uint8Array,
): Promise<{ readonly address: Address; readonly lt: bigint } | undefined> => {
  try {
    const { block, accountBlock, lt } = await findTransaction(store, hash)
    return { address: { workchain: block.id.workchain, hash: accountBlock.accountAddr.slice() }, lt }
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  }
}

/** Looks through the blocks whose transactions can still be run, the newest first. */
const findTransaction = async (store: ChainStore, hash: Uint8Array): Promise<FoundTransaction> => {
  const newest = store.head?.id.seqno ?? 0
  let sliceEnd = performance.now() + SLICE_MS
  let oldest = newest
  for (let seqno = newest; seqno > 0; seqno--) {
    const master = store.findMaster(seqno)
    if (master === undefined || master.prev.some((id) => store.findState(id) === undefined)) break
    oldest = seqno
    for (const block of [master, ...store.index.listIncluded(seqno)]) {
      const found = findInBlock(store, block, hash)
      if (found !== undefined) return { block, ...found }
    }
    if (performance.now() < sliceEnd) continue
    await nextTurn()
    sliceEnd = performance.now() + SLICE_MS
  }
  throw new TransactionNotFoundError(
    `Transaction ${toHex(hash)} was not found in the masterchain blocks ${oldest} to ${newest} and what they include: only for these are the states kept from which a transaction can be run again.`,
  )
}

const findInBlock = (store: ChainStore, { id }: StoredBlock, hash: Uint8Array) => {
  for (const [, accountBlock] of openAccountBlocks(openBlockExtra(openBlock(store.getRoot(id)).extra)).entries()) {
    for (const [lt, cell] of accountBlock.transactions.entries()) {
      if (cell.hasHash(hash)) return { accountBlock, lt }
    }
  }
  return undefined
}

const findAccountBefore = (store: ChainStore, { id, prev }: StoredBlock, account: Uint8Array): ShardAccount => {
  for (const before of prev) {
    const found = openShardAccounts(openState(getState(store, before, id)).accounts).find(account)
    if (found !== undefined) return found
  }
  return NO_ACCOUNT
}

/** What the transactions of a block saw of the network: the masterchain block it refers to, or the one before it. */
const contextOf = (store: ChainStore, id: BlockIdExt): Omit<RunContext, 'now'> => {
  const block = openBlock(store.getRoot(id))
  const { masterRef } = openBlockInfo(block.info)
  const master =
    masterRef === undefined
      ? store.index.find(id)!.prev[0]!
      : { ...masterRef, workchain: masterchain, shard: wholeShard }
  const { config, previousBlocks, findLibrary } = viewFrom(master, getState(store, master, id))
  return { config, previousBlocks, findLibrary, randomSeed: openBlockExtra(block.extra).randSeed }
}

const getState = (store: ChainStore, id: BlockIdExt, whose: BlockIdExt) => {
  const state = store.findState(id)
  if (state !== undefined) return state
  throw new TransactionRunError(
    `The state of block ${formatBlockId(id)}, from which block ${formatBlockId(whose)} was made, is no longer kept.`,
  )
}

const causeOf = ({ inMsg, description }: Transaction): TransactionCall['cause'] => {
  if (inMsg !== undefined) return { kind: 'message', message: inMsg }
  return { kind: description.kind === 'tick_tock' && description.isTock ? 'tock' : 'tick' }
}

const runAgain = async (run: () => Promise<TransactionRun>): Promise<TransactionRun> => {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.retryable) throw cause
    throw new TransactionRunError(`The transaction could not be run again: ${cause.message}`, { cause })
  }
}
