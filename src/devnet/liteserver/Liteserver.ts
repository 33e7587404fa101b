import { type LiteFunctionName, splitWaitPrefix } from '../../codec/tl/liteQuery.ts'
import { formatTlId, TlError } from '../../codec/tl/TlError.ts'
import { TlReader } from '../../codec/tl/TlReader.ts'
import { encodeTlObject, readTlArguments, tlFunctions, tlIds } from '../../codec/tl/tlObject.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import type { Logger } from '../../observe/Logger.ts'
import { getU32LE } from '../../primitives/bytes.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import { getAccountState, getAccountStatePrunned } from './accounts.ts'
import { getBlockProof } from './blockProof.ts'
import { getBlock, getBlockHeader, getState, lookupBlock, lookupBlockWithProof } from './blocks.ts'
import { getConfigAll, getConfigParams, getLibraries, getLibrariesWithProof, getValidatorStats } from './config.ts'
import { forkFunctions } from './forkFunctions.ts'
import {
  type LiteFunction,
  type LiteFunctions,
  type LiteserverContext,
  LiteserverError,
  NOT_READY,
} from './LiteFunction.ts'
import {
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getOutMsgQueueSizes,
} from './queues.ts'
import { runSmcMethod } from './runSmcMethod.ts'
import { getMasterchainInfo, getMasterchainInfoExt, getTime, getVersion, sendMessage } from './serverInfo.ts'
import { getAllShardsInfo, getPendingShardBlocks, getShardBlockProof, getShardInfo } from './shards.ts'
import { getOneTransaction, getTransactions, listBlockTransactions, listBlockTransactionsExt } from './transactions.ts'

/** Functions about accounts, transactions, libraries and queues. */
export const accountFunctions = {
  'liteServer.getAccountState': getAccountState,
  'liteServer.getAccountStatePrunned': getAccountStatePrunned,
  'liteServer.runSmcMethod': runSmcMethod,
  'liteServer.getOneTransaction': getOneTransaction,
  'liteServer.getTransactions': getTransactions,
  'liteServer.listBlockTransactions': listBlockTransactions,
  'liteServer.listBlockTransactionsExt': listBlockTransactionsExt,
  'liteServer.getLibraries': getLibraries,
  'liteServer.getLibrariesWithProof': getLibrariesWithProof,
  'liteServer.getOutMsgQueueSizes': getOutMsgQueueSizes,
  'liteServer.getBlockOutMsgQueueSize': getBlockOutMsgQueueSize,
  'liteServer.getDispatchQueueInfo': getDispatchQueueInfo,
  'liteServer.getDispatchQueueMessages': getDispatchQueueMessages,
} satisfies LiteFunctions

/** Functions about the server, the chain, blocks and configuration. */
export const blockFunctions = {
  'liteServer.getTime': getTime,
  'liteServer.getVersion': getVersion,
  'liteServer.getMasterchainInfo': getMasterchainInfo,
  'liteServer.getMasterchainInfoExt': getMasterchainInfoExt,
  'liteServer.getBlock': getBlock,
  'liteServer.getState': getState,
  'liteServer.getBlockHeader': getBlockHeader,
  'liteServer.lookupBlock': lookupBlock,
  'liteServer.lookupBlockWithProof': lookupBlockWithProof,
  'liteServer.getShardInfo': getShardInfo,
  'liteServer.getAllShardsInfo': getAllShardsInfo,
  'liteServer.getShardBlockProof': getShardBlockProof,
  'liteServer.getBlockProof': getBlockProof,
  'liteServer.getConfigAll': getConfigAll,
  'liteServer.getConfigParams': getConfigParams,
  'liteServer.getValidatorStats': getValidatorStats,
  'liteServer.nonfinal.getPendingShardBlocks': getPendingShardBlocks,
  'liteServer.sendMessage': sendMessage,
} satisfies LiteFunctions

/** All supported functions. */
export const liteFunctions: LiteFunctions = { ...blockFunctions, ...accountFunctions }

export type LiteserverOptions = {
  readonly logger: Logger
  /** Supported functions; default: all. */
  readonly functions?: LiteFunctions
  /** Time limit of one request, after it has waited for its block. */
  readonly timeLimitMs?: number
}

/** The masterchain block that a request waits for, and its timeout. */
type Wait = { readonly seqno: number; readonly timeoutMs: number }

const INTERNAL_ERROR = 602
const UNKNOWN_QUERY = 621
const WAIT_TIMEOUT = 652
const WORK_TIMEOUT = -503
const MAX_WAIT_MS = 10_000
/** The furthest block ahead that a request may wait for. */
const MAX_AHEAD = 100

const timedOut = new LiteserverError(WAIT_TIMEOUT, 'timeout')

const never = new AbortController().signal

/** Answers requests of the liteserver protocol over a chain: the bytes inside `liteServer.query`. */
export class Liteserver {
  private readonly context: LiteserverContext
  private readonly functions: LiteFunctions
  private readonly logger: Logger
  private readonly timeLimitMs: number

  constructor(
    context: LiteserverContext,
    { logger, functions = liteFunctions, timeLimitMs = 4500 }: LiteserverOptions,
  ) {
    const { fork } = context
    this.context = context
    this.logger = logger
    this.functions = fork === undefined ? functions : { ...functions, ...forkFunctions(fork) }
    this.timeLimitMs = timeLimitMs
  }

  /** The answer to a request, or an encoded error. It rejects only if the signal aborts a wait. */
  async answer(data: Uint8Array, signal: AbortSignal = never): Promise<Uint8Array> {
    const request = this.isReady(data) ? data : await this.wait(data, signal)
    return request instanceof LiteserverError ? encodeError(request) : this.run(request)
  }

  /** Whether a request need not wait for a block of the masterchain. */
  isReady(data: Uint8Array): boolean {
    const wait = findWait(data)
    return wait === undefined || wait.seqno <= this.headSeqno
  }

  /** Waits for the block of a request; returns the request to run, or the error to answer. */
  async wait(data: Uint8Array, signal: AbortSignal): Promise<Uint8Array | LiteserverError> {
    const wait = findWait(data)
    if (wait === undefined || wait.seqno <= this.headSeqno) return data
    if (wait.timeoutMs <= 0) return timedOut
    if (wait.seqno > this.headSeqno + MAX_AHEAD)
      return new LiteserverError(NOT_READY, 'too big masterchain block seqno')
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(timedOut), Math.min(wait.timeoutMs, MAX_WAIT_MS))
    const leave = onAbort(signal, () => controller.abort(signal.reason))
    try {
      await this.context.store.waitForMaster(wait.seqno, controller.signal)
      return data
    } catch (error) {
      if (error !== timedOut) throw error
      return timedOut
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  /** Answers a request without any waiting for blocks. Never rejects. */
  async run(data: Uint8Array): Promise<Uint8Array> {
    let name = 'undecoded'
    try {
      const call = decodeCall(data)
      name = call.kind
      return await this.dispatch(call.kind as LiteFunctionName, call as TlArguments[LiteFunctionName])
    } catch (error) {
      if (error instanceof LiteserverError) return encodeError(error)
      this.logger.error('request failed', { function: name, error })
      return encodeError(new LiteserverError(INTERNAL_ERROR, 'internal error'))
    }
  }

  private dispatch<K extends LiteFunctionName>(name: K, args: TlArguments[K]): Uint8Array | Promise<Uint8Array> {
    const run: LiteFunction<K> | undefined = this.functions[name]
    if (run === undefined) throw new LiteserverError(UNKNOWN_QUERY, 'unknown query')
    const encode = (result: TlResults[K]): Uint8Array => tlFunctions[name].encodeResult(result)
    const result = run(this.context, args)
    if (!(result instanceof Promise)) return encode(result)
    return within(result, this.timeLimitMs, () => new LiteserverError(WORK_TIMEOUT, 'timeout')).then(encode)
  }

  private get headSeqno(): number {
    return this.context.store.head?.id.seqno ?? 0
  }
}

export const encodeError = ({ serverCode, serverText }: LiteserverError): Uint8Array =>
  encodeTlObject({ kind: 'liteServer.error', code: serverCode, message: serverText })

/** A prefix that is cut short is left to the decoder, which says so. Seqnos are unsigned here. */
const findWait = (data: Uint8Array): Wait | undefined => {
  try {
    const { wait } = splitWaitPrefix(data)
    return wait && { seqno: wait.seqno >>> 0, timeoutMs: wait.timeoutMs }
  } catch (error) {
    if (error instanceof TlError) return undefined
    throw error
  }
}

/** Positions in its refusals count from behind the prefix. A second prefix is no prefix but an unknown request. */
const decodeCall = (data: Uint8Array) => {
  let rest = data
  try {
    rest = splitWaitPrefix(data).rest
    const r = new TlReader(rest)
    const call = readTlArguments(r, r.readUint())
    if (!call.kind.startsWith('liteServer.')) throw new TlError('unknown_constructor', 0, `Got ${call.kind}`)
    r.expectEnd()
    return call
  } catch (error) {
    if (!(error instanceof TlError)) throw error
    throw new LiteserverError(0, describeTlError(error, rest))
  }
}

const WORD = 4

/** The error text of a node for malformed bytes, with the offset where its parser failed. */
const describeTlError = ({ fault, offset }: TlError, data: Uint8Array): string => {
  switch (fault) {
    case 'not_enough_bytes':
      return `Not enough data to read at ${offset}`
    case 'trailing_bytes':
      return `Too much data to fetch at ${offset}`
    case 'unknown_constructor':
      return `Unknown constructor found ${formatTlId(getU32LE(data, offset))} at ${offset + WORD}`
    case 'bad_value':
    case 'too_large':
      return describeValue(data, offset)
  }
}

/** The values that can be wrong in a request are a Bool, which one function has, and the lengths of vectors. */
const describeValue = (data: Uint8Array, offset: number): string => {
  const id = getU32LE(data, 0)
  const at = offset + WORD
  if (id === tlIds['liteServer.getShardInfo']) return `Bool expected at ${at}`
  const left = data.length - at
  if (getU32LE(data, offset) > left) return `Wrong vector length at ${at}`
  const item = id === tlIds['liteServer.getConfigParams'] ? WORD : 32
  return `Not enough data to read at ${at + left - (left % item)}`
}

/** The result of `work`, or the error of `onTimeout` after the timeout. The work itself is not cancelled. */
const within = async <T>(work: Promise<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
