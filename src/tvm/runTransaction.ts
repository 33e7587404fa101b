import type { TransactionCall, TransactionRun } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { readCommonMsgInfo } from '../codec/tlb/CommonMsgInfo.ts'
import { readShardAccount, type ShardAccount, writeShardAccount } from '../codec/tlb/ShardAccount.ts'
import { type Address, addressesEqual, formatRawAddress } from '../primitives/Address.ts'
import { checkContext, verbosityOf } from './checkContext.ts'
import { collectLibraries, encodeLibraries, type LibraryMap } from './collectLibraries.ts'
import { encodePreviousBlocks } from './encodePreviousBlocks.ts'
import { VmInputError } from './errors.ts'
import type { Machine } from './Machine.ts'
import type { PreparedConfig } from './PreparedConfig.ts'
import type { Pack } from './WorkerPool.ts'

const MAX_UINT64 = (1n << 64n) - 1n
const NO_BYTES = new Uint8Array(0)

type TransactionBags = { readonly account: Uint8Array; readonly message: Uint8Array }

export const runTransaction = async (
  { pool, configs }: Machine,
  call: TransactionCall,
  signal?: AbortSignal,
): Promise<TransactionRun> => {
  const address = findAddress(call.account)
  const isExternal = call.cause.kind === 'message' && checkMessage(call.cause.message, address) === 'externalIn'
  const { config: params } = call.context
  const config = address === undefined ? configs.get(params) : configs.getFor(params, address)
  const account = encodeBoc([writeWhole(writeShardAccount, call.account)])
  const message = call.cause.kind === 'message' ? encodeBoc([call.cause.message]) : NO_BYTES
  const sources = message.length === 0 ? [account] : [account, message]
  const libraries = await collectLibraries(sources, call.context.findLibrary)
  const answer = await pool.run(packTransaction(call, isExternal, { account, message }, libraries, config), signal)
  switch (answer.kind) {
    case 'executed':
      return {
        kind: 'executed',
        transaction: decodeSingleBoc(answer.transaction),
        account: readWhole(decodeSingleBoc(answer.account), readShardAccount, 'A ShardAccount'),
        log: answer.log,
      }
    case 'notAccepted':
      return { ...answer, steps: countSteps(answer.log) }
    case 'refused':
      throw new VmInputError(`The virtual machine refused a transaction: ${answer.reason}.`)
    case 'method':
      throw new TypeError('The worker answered a transaction with the result of a get-method.')
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
  { cause, lt, context, ignoreSignatures, log }: TransactionCall,
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
  } as const
  const transfer = cause.kind === 'message' ? [bags.account.buffer, bags.message.buffer] : [bags.account.buffer]
  return (hasConfig) => ({ job: { ...job, config: hasConfig(config.key) ? undefined : config.bags }, transfer })
}

/** The log has a line for each instruction, also for those that the code does not spell out. */
const countSteps = (log: string): number => log.split('\n').filter((line) => line.startsWith('execute ')).length
