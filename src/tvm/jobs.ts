import type { MethodCall, TransactionCall } from '../chain/ports.ts'
import type { RecordOptions } from '../chain/recording.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { writeWhole } from '../codec/cell/wholeCell.ts'
import { writeShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { encodeVmStack } from '../codec/tlb/VmStack.ts'
import { formatRawAddress } from '../primitives/Address.ts'
import type { JobConfig, MethodJob, TransactionJob } from './messages.ts'
import { encodePreviousBlocks } from './previousBlocks.ts'
import type { Pack } from './WorkerPool.ts'

const NO_BYTES = new Uint8Array(0)

/** Runs as they are handed to another thread. The configuration goes along only where the thread does not have it. */

export const packMethod = (
  call: MethodCall,
  libraries: Cell | undefined,
  config: JobConfig,
  record?: RecordOptions,
): Pack => {
  const { contract, stack, methodId, gasLimit, context, log, withLoadedCells = false } = call
  const extraCurrencies: (readonly [number, bigint])[] = []
  contract.balance.extra.forEach((id, amount) => void extraCurrencies.push([id, amount]))
  const job: MethodJob = {
    ...packContext(call, libraries, config),
    kind: 'method',
    code: encodeBoc([contract.code]),
    data: encodeBoc([contract.data]),
    stack: encodeVmStack(stack),
    address: formatRawAddress(contract.address),
    balance: contract.balance.grams,
    extraCurrencies,
    duePayment: contract.duePayment ?? 0n,
    lt: context.lt ?? 0n,
    gasLimit,
    methodId,
    withLoadedCells,
    log,
    record,
  }
  return (hasConfig) => (hasConfig(config.key) ? { ...job, config: undefined } : job)
}

export const packTransaction = (
  call: TransactionCall,
  libraries: Cell | undefined,
  config: JobConfig,
  record?: RecordOptions,
): Pack => {
  const { account, cause, lt, ignoreSignatures, withActions = false, log } = call
  const job: TransactionJob = {
    ...packContext(call, libraries, config),
    kind: 'transaction',
    account: encodeBoc([writeWhole(writeShardAccount, account)]),
    cause: cause.kind,
    message: cause.kind === 'message' ? encodeBoc([cause.message]) : NO_BYTES,
    lt,
    ignoreSignatures,
    withActions,
    log,
    record,
  }
  return (hasConfig) => (hasConfig(config.key) ? { ...job, config: undefined } : job)
}

const packContext = (
  { context: { now, randomSeed, previousBlocks } }: MethodCall | TransactionCall,
  libraries: Cell | undefined,
  { key, version, bags }: JobConfig,
) => ({
  configKey: key,
  config: bags,
  now,
  randomSeed,
  libraries: libraries === undefined ? NO_BYTES : encodeBoc([libraries]),
  previousBlocks: encodePreviousBlocks(previousBlocks, version),
})
