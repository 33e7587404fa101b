import type { TransactionCall, TransactionRun } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { readCommonMsgInfo, readMessage } from '../codec/tlb/Message.ts'
import { readShardAccount, type ShardAccount, writeShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { readTransaction } from '../codec/tlb/Transaction.ts'
import { type Address, addressesEqual, formatRawAddress } from '../primitives/Address.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'
import { TRANSACTION } from './CodeHistory.ts'
import { checkContext, verbosityOf } from './checkContext.ts'
import { collectLibraries, encodeLibraries, type LibraryMap } from './collectLibraries.ts'
import { encodePreviousBlocks } from './encodePreviousBlocks.ts'
import { VmInputError } from './errors.ts'
import { type Attempt, runInLane, runInSlowLane, type Verdict } from './lanes.ts'
import type { Machine } from './Machine.ts'
import type { VmAnswer } from './messages.ts'
import type { PreparedConfig } from './PreparedConfig.ts'
import type { Pack } from './WorkerPool.ts'

const MAX_UINT64 = (1n << 64n) - 1n
const NO_BYTES = new Uint8Array(0)

type TransactionBags = { readonly account: Uint8Array; readonly message: Uint8Array }

/** What nearly every transaction gets by with. */
const QUICK_GAS = 50_000n

export const runTransaction = async (
  machine: Machine,
  call: TransactionCall,
  signal?: AbortSignal,
): Promise<TransactionRun> => {
  const { configs } = machine
  const address = findAddress(call.account)
  const isExternal = call.cause.kind === 'message' && checkMessage(call.cause.message, address) === 'externalIn'
  const { config: params } = call.context
  const config = address === undefined ? configs.get(params) : configs.getFor(params, address)
  const account = encodeBoc([writeWhole(writeShardAccount, call.account)])
  const message = call.cause.kind === 'message' ? encodeBoc([call.cause.message]) : NO_BYTES
  const sources = message.length === 0 ? [account] : [account, message]
  const libraries = await collectLibraries(sources, call.context.findLibrary)
  const pack = packTransaction(call, isExternal, { account, message }, libraries, config)
  const answer = await runPacked(machine, call, pack, signal)
  switch (answer.kind) {
    case 'executed':
      return {
        kind: 'executed',
        transaction: decodeSingleBoc(answer.transaction),
        account: readWhole(decodeSingleBoc(answer.account), readShardAccount, 'A ShardAccount'),
        actions: answer.actions && decodeSingleBoc(answer.actions),
        log: answer.log,
      }
    case 'notAccepted': {
      const { kind, exitCode, reason, log } = answer
      return { kind, exitCode, steps: countSteps(log), reason, log }
    }
    case 'refused':
      throw new VmInputError(`The virtual machine refused a transaction: ${answer.reason}.`)
    case 'method':
      throw new TypeError('The worker answered a transaction with the result of a get-method.')
  }
}

/** The network's own transactions run at once. Those that strangers ask for run where their code may. */
const runPacked = (
  machine: Machine,
  { foreign, account, cause }: TransactionCall,
  pack: Pack,
  signal: AbortSignal | undefined,
): Promise<VmAnswer> => {
  if (foreign === undefined) return machine.usual.run(pack, { signal })
  const code = findCode(account) ?? (cause.kind === 'message' ? findSentCode(cause.message) : undefined)
  const run: Attempt<VmAnswer> = (pool, options) => pool.run(pack, { ...options, signal })
  if (code === undefined) return run(machine.slow, {})
  const laneRun = { code, methodId: TRANSACTION, isShort: false, signal, quick: run, whole: run, judge }
  // Nobody had to pay for code that a call brings along, so there may be any number of such codes.
  return foreign === 'code' ? runInSlowLane(machine, laneRun) : runInLane(machine, laneRun)
}

const judge = (answer: VmAnswer): Verdict => {
  if (answer.kind !== 'executed') return 'quick'
  const { description } = readWhole(decodeSingleBoc(answer.transaction), readTransaction, 'A transaction')
  if (description.kind !== 'ord' || description.computePhase.kind !== 'vm') return 'quick'
  return description.computePhase.gasUsed > QUICK_GAS ? 'slow' : 'quick'
}

const findCode = ({ account }: ShardAccount): string | undefined => {
  const opened = openAccount(account)
  const code = opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.code : undefined
  return code && toHex(code.hash())
}

/** The code that a message brings along for an account that has none. */
const findSentCode = (message: Cell): string | undefined => {
  try {
    const code = readMessage(openCell(message)).init?.value.code
    return code && toHex(code.hash())
  } catch (error) {
    // The machine refuses it.
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const findAddress = ({ account }: ShardAccount): Address | undefined => {
  const opened = openAccount(account)
  return opened.kind === 'none' || opened.address.kind !== 'std' ? undefined : opened.address
}

/** The emulator runs any message on any account. */
const checkMessage = (message: Cell, address: Address | undefined): 'internal' | 'externalIn' => {
  const info = readCommonMsgInfo(openCell(message))
  if (info.kind === 'externalOut') throw new VmInputError('A message that leaves the chain cannot be run.')
  const { destination } = info
  if (address === undefined || destination.kind !== 'std' || addressesEqual(address, destination)) {
    return info.kind
  }
  throw new VmInputError(
    `A message to ${formatRawAddress(destination)} was to be run on account ${formatRawAddress(address)}.`,
  )
}

const packTransaction = (
  { cause, lt, context, ignoreSignatures, withActions = false, log }: TransactionCall,
  isExternal: boolean,
  bags: TransactionBags,
  libraries: LibraryMap,
  config: PreparedConfig,
): Pack => {
  // Zero would make the emulator choose one.
  if (lt < 1n || lt > MAX_UINT64) throw new VmInputError(`The lt of a transaction is from 1 to 2^64 - 1, ${lt} came.`)
  const job = {
    kind: 'transaction',
    configKey: config.key,
    ...checkContext(context),
    libraries: encodeLibraries(libraries),
    previousBlocks: encodePreviousBlocks(context.previousBlocks, config.version),
    // A message that is not accepted is told of with the number of its steps, which only the log has.
    verbosity: verbosityOf[isExternal && log === 'none' ? 'steps' : log],
    ...bags,
    cause: cause.kind,
    lt: lt.toString(),
    ignoreSignatures,
    withLog: log !== 'none',
    withActions,
  } as const
  return (hasConfig) => ({ ...job, config: hasConfig(config.key) ? undefined : config.bags })
}

/** The log has a line for each instruction, also for those that the code does not spell out. */
const countSteps = (log: string): number => log.split('\n').filter((line) => line.startsWith('execute ')).length
