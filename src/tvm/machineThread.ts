import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import type { MethodCall, RunContext, TransactionCall } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { breakSlabChain } from '../codec/cell/CellWriter.ts'
import { Dict } from '../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { readWhole, writeWhole } from '../codec/cell/wholeCell.ts'
import { openAccount } from '../codec/tlb/Account.ts'
import { extraCurrenciesType } from '../codec/tlb/CurrencyCollection.ts'
import { readCommonMsgInfo } from '../codec/tlb/Message.ts'
import { readShardAccount, type ShardAccount, writeShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { decodeVmStack, readVmStackValue, type VmStack, writeVmStack } from '../codec/tlb/VmStack.ts'
import { lowerPriority, openThreadClock } from '../observe/threads.ts'
import { parseAddress } from '../primitives/Address.ts'
import { masterchain } from '../primitives/BlockId.ts'
import { CodedError } from '../primitives/errors.ts'
import { LruCache } from '../primitives/LruCache.ts'
import { VmResultError } from './errors.ts'
import { ExecutorConfig } from './executor/ExecutorConfig.ts'
import type { CodeResult } from './machine/runCode.ts'
import { fromVmValue } from './machine/stackValues.ts'
import {
  type FromWorker,
  KEPT_CONFIGS,
  type MethodJob,
  type TransactionJob,
  type VmAnswer,
  type VmJob,
} from './messages.ts'
import { Recorder } from './record/Recorder.ts'
import { beginMethod, beginTransaction, describeReads, hashesOf, RESULT_LIMITS, readResultStack } from './runs.ts'
import { describeRefused, toRun } from './transactions.ts'
import { VmLog } from './VmLog.ts'

/** The thread of long runs: it takes one job after another, and is ended from outside where one takes too long. */

/** Gas between two looks at the memory. */
const SLICE_GAS = 200_000
/** Memory that a run may take besides what the thread has anyway. */
const MAX_RUN_BYTES = 64 * 1024 * 1024
/** A contract may leave all of its data. */
const MAX_RESULT_BYTES = 4 << 20

const clock = openThreadClock()
lowerPriority()
const encoder = new TextEncoder()
const configs = new LruCache<ExecutorConfig>(KEPT_CONFIGS)

const openConfig = ({ configKey, config }: VmJob): ExecutorConfig => {
  const held = configs.find(configKey)
  if (held !== undefined) return held
  if (config === undefined) throw new Error(`Configuration ${configKey} should be here and is not.`)
  const opened = new ExecutorConfig(decodeSingleBoc(config.full))
  configs.set(configKey, opened)
  return opened
}

const contextOf = ({ now, randomSeed }: VmJob, root: Cell): RunContext => ({
  config: root,
  now,
  randomSeed,
  previousBlocks: undefined,
  findLibrary: undefined,
})

const surroundingsOf = (job: VmJob) => ({
  config: openConfig(job),
  libraries: job.libraries.length === 0 ? [] : [decodeSingleBoc(job.libraries)],
  previousBlocks: fromVmValue(readVmStackValue(openCell(decodeSingleBoc(job.previousBlocks)))),
  log: job.log === 'none' ? undefined : new VmLog(job.log),
  refusesSlow: false,
})

const workchainOf = ({ account }: ShardAccount, { cause, message }: TransactionJob): number => {
  const opened = openAccount(account)
  if (opened.kind === 'account') return opened.address.workchain
  const info = cause === 'message' ? readCommonMsgInfo(openCell(decodeSingleBoc(message))) : undefined
  return info === undefined || info.kind === 'externalOut' ? masterchain : info.destination.workchain
}

/** Records a run where its job asks for it. */
const recorderFor = (job: VmJob, config: ExecutorConfig, workchain: number, log: VmLog | undefined) =>
  job.record &&
  new Recorder(
    job.record,
    {
      gasPrice: config.gasPrices(workchain).gasPrice,
      isPrecompiled: (hash) => job.kind === 'transaction' && config.precompiledGas(hash) !== undefined,
    },
    log,
  )

const encodeRecording = (recorder: Recorder | undefined, result: CodeResult | undefined): Uint8Array | undefined =>
  recorder && result && encoder.encode(JSON.stringify(recorder.end(result)))

const usedBytes = (): number => {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

/** Breaks the thread down where a run has filled the memory: what it holds goes with it. */
const watchMemory = (): (() => void) => {
  const before = usedBytes()
  // A collection may be due: only what is far beyond counts.
  return () => {
    if (usedBytes() - before > 2 * MAX_RUN_BYTES) throw new Error('a run took too much memory')
  }
}

const runMethod = (job: MethodJob): VmAnswer => {
  const address = parseAddress(job.address)
  const bare = surroundingsOf(job)
  const around = { ...bare, recorder: recorderFor(job, bare.config, address.workchain, bare.log) }
  const call: MethodCall = {
    contract: {
      address,
      code: decodeSingleBoc(job.code),
      data: decodeSingleBoc(job.data),
      balance: { grams: job.balance, extra: Dict.of(extraCurrenciesType, job.extraCurrencies) },
      duePayment: job.duePayment,
    },
    methodId: job.methodId,
    stack: decodeVmStack(job.stack),
    gasLimit: job.gasLimit,
    context: { ...contextOf(job, around.config.root), lt: job.lt },
    log: job.log,
  }
  const run = beginMethod(call, around)
  const checkMemory = watchMemory()
  for (;;) {
    const result = run.advance(SLICE_GAS)
    checkMemory()
    if (result === undefined) continue
    return {
      kind: 'method',
      exitCode: result.exitCode,
      gasUsed: result.gasUsed,
      stack: encodeResult(readResultStack(result)),
      log: around.log?.end(result),
      missingLibraries: result.missingLibraries,
      reads: describeReads(result),
      loadedCells: job.withLoadedCells ? hashesOf(result, call.contract.code) : undefined,
      recording: encodeRecording(around.recorder, result),
    }
  }
}

const encodeResult = (stack: VmStack): Uint8Array => {
  const bytes = tryEncode(stack)
  if (bytes !== undefined && bytes.length <= MAX_RESULT_BYTES) return bytes
  throw new VmResultError('The get-method left more on its stack than can be handed back.')
}

/** `undefined` where the values are nested deeper than cells may be. */
const tryEncode = (stack: VmStack): Uint8Array | undefined => {
  try {
    return encodeBoc([writeWhole((w, entries: VmStack) => writeVmStack(w, entries, RESULT_LIMITS), stack)])
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

const runTransaction = (job: TransactionJob): VmAnswer => {
  breakSlabChain()
  const account = readWhole(decodeSingleBoc(job.account), readShardAccount, 'A ShardAccount')
  const bare = surroundingsOf(job)
  const around = { ...bare, recorder: recorderFor(job, bare.config, workchainOf(account, job), bare.log) }
  const call: TransactionCall = {
    account,
    cause: job.cause === 'message' ? { kind: 'message', message: decodeSingleBoc(job.message) } : { kind: job.cause },
    lt: job.lt,
    context: contextOf(job, around.config.root),
    ignoreSignatures: job.ignoreSignatures,
    withActions: job.withActions,
    log: job.log,
  }
  const steps = beginTransaction(call, around)
  const checkMemory = watchMemory()
  for (;;) {
    const { done, value } = steps.next()
    if (done !== true) {
      checkMemory()
      continue
    }
    const run = toRun(value, call, around.log, () => describeRefused(call, around))
    const missingLibraries = value.run?.missingLibraries ?? []
    const recording = encodeRecording(around.recorder, value.run)
    if (run.kind === 'notAccepted') return { ...run, missingLibraries, recording }
    return {
      kind: 'executed',
      transaction: encodeBoc([run.transaction]),
      account: encodeBoc([writeWhole(writeShardAccount, run.account)]),
      actions: run.actions && encodeBoc([run.actions]),
      log: run.log,
      missingLibraries,
      recording,
    }
  }
}

const run = (job: VmJob): VmAnswer => {
  try {
    return job.kind === 'method' ? runMethod(job) : runTransaction(job)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { kind: 'refused', what: error instanceof VmResultError ? 'result' : 'input', reason: error.message }
  }
}

const send = (message: FromWorker): void => parentPort!.postMessage(message)

const readClock = () => clock && { thread: clock.thread, cpuMs: clock.readMs() }

parentPort!.on('message', (job: VmJob) => {
  try {
    const answer = run(job)
    send({ kind: 'answer', answer, memoryBytes: 0, clock: readClock() })
  } catch (error) {
    parentPort!.removeAllListeners('message')
    send({ kind: 'crashed', reason: error instanceof Error ? error.message : String(error) })
  }
})

send({ kind: 'ready', commit: '', clock: readClock() })
