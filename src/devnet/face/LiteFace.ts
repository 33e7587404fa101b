import { type LiteFunctionName, splitWaitPrefix } from '../../codec/tl/liteQuery.ts'
import { TlError } from '../../codec/tl/TlError.ts'
import { TlReader } from '../../codec/tl/TlReader.ts'
import { encodeTlObject, readTlArguments, tlFunctions } from '../../codec/tl/tlObject.ts'
import type { TlArguments, TlResults } from '../../codec/tl/tlTypes.ts'
import type { Logger } from '../../observe/Logger.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import { describeTlError } from './describeTlError.ts'
import type { FaceContext, LiteFunction, LiteFunctions } from './LiteFunction.ts'
import { LiteRefusal, NOT_READY } from './LiteRefusal.ts'
import { liteFunctions } from './liteFunctions.ts'
import { within } from './within.ts'

export type LiteFaceOptions = {
  readonly logger: Logger
  /** What is answered, where it is not all that can be. */
  readonly functions?: LiteFunctions
  /** The longest that one question is worked on, once it has waited for its block. */
  readonly timeLimitMs?: number
}

/** The block of the masterchain that a question waits for, and how long. */
type Wait = { readonly seqno: number; readonly timeoutMs: number }

const INTERNAL_ERROR = 602
const UNKNOWN_QUERY = 621
const WAIT_TIMEOUT = 652
const WORK_TIMEOUT = -503
const MAX_WAIT_MS = 10_000
/** A block that is further ahead is not waited for. */
const MAX_AHEAD = 100

const timedOut = new LiteRefusal(WAIT_TIMEOUT, 'timeout')

/** Answers the questions of the liteserver protocol over a chain, as bytes: what stands inside `liteServer.query`. */
export class LiteFace {
  private readonly context: FaceContext
  private readonly functions: LiteFunctions
  private readonly logger: Logger
  private readonly timeLimitMs: number

  constructor(context: FaceContext, { logger, functions = liteFunctions, timeLimitMs = 4500 }: LiteFaceOptions) {
    this.context = context
    this.logger = logger
    this.functions = functions
    this.timeLimitMs = timeLimitMs
  }

  /** The answer to a question, an error where it is refused. It rejects only as the signal says, while it waits. */
  async answer(data: Uint8Array, signal: AbortSignal = never): Promise<Uint8Array> {
    const question = this.isReady(data) ? data : await this.wait(data, signal)
    return question instanceof LiteRefusal ? encodeRefusal(question) : this.run(question)
  }

  /** Whether a question need not wait for a block of the masterchain. */
  isReady(data: Uint8Array): boolean {
    const wait = findWait(data)
    return wait === undefined || wait.seqno <= this.headSeqno
  }

  /** Waits as a question says; what comes back may be run, or is why it will not be. */
  async wait(data: Uint8Array, signal: AbortSignal): Promise<Uint8Array | LiteRefusal> {
    const wait = findWait(data)
    if (wait === undefined || wait.seqno <= this.headSeqno) return data
    if (wait.timeoutMs <= 0) return timedOut
    if (wait.seqno > this.headSeqno + MAX_AHEAD) return new LiteRefusal(NOT_READY, 'too big masterchain block seqno')
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

  /** Answers a question without any waiting for blocks. Never rejects. */
  async run(data: Uint8Array): Promise<Uint8Array> {
    let name = 'undecoded'
    try {
      const call = decodeCall(data)
      name = call.kind
      return await this.dispatch(call.kind as LiteFunctionName, call as TlArguments[LiteFunctionName])
    } catch (error) {
      if (error instanceof LiteRefusal) return encodeRefusal(error)
      this.logger.error('question failed', { function: name, error })
      return encodeRefusal(new LiteRefusal(INTERNAL_ERROR, 'internal error'))
    }
  }

  private dispatch<K extends LiteFunctionName>(name: K, args: TlArguments[K]): Uint8Array | Promise<Uint8Array> {
    const run: LiteFunction<K> | undefined = this.functions[name]
    if (run === undefined) throw new LiteRefusal(UNKNOWN_QUERY, 'unknown query')
    const encode = (result: TlResults[K]): Uint8Array => tlFunctions[name].encodeResult(result)
    const result = run(this.context, args)
    if (!(result instanceof Promise)) return encode(result)
    return within(result, this.timeLimitMs, () => new LiteRefusal(WORK_TIMEOUT, 'timeout')).then(encode)
  }

  private get headSeqno(): number {
    return this.context.store.head?.id.seqno ?? 0
  }
}

const never = new AbortController().signal

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

/** Positions in its refusals count from behind the prefix. A second prefix is no prefix but an unknown question. */
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
    throw new LiteRefusal(0, describeTlError(error, rest))
  }
}

export const encodeRefusal = ({ serverCode, serverText }: LiteRefusal): Uint8Array =>
  encodeTlObject({ kind: 'liteServer.error', code: serverCode, message: serverText })
