import type { FastifyRequest } from 'fastify'
import { LruCache } from '../../primitives/LruCache.ts'
import { onAbort } from '../../primitives/scheduling.ts'
import { type Call, type CallTrace, newTrace, type Question } from './Call.ts'
import type { Endpoint } from './Endpoint.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/parseJson.ts'
import type { QueryValues } from './parseArguments.ts'

/** An answer that is being made, for all who wait for it. */
type Making = {
  readonly text: Promise<string>
  readonly trace: CallTrace
  readonly giveUp: AbortController
  waiting: number
}

export type AnswersOptions = {
  readonly maxBytes: number
  /** What answers about the newest block depend on; `undefined` where that is not known. */
  readonly findHeadSeqno: () => number | undefined
}

/** The JSON of a result that was made before. */
export class KeptAnswer {
  readonly text: string
  private encoded: Buffer | undefined

  constructor(text: string) {
    this.text = text
  }

  /** The same in UTF-8, made when it is first wanted. */
  get bytes(): Buffer {
    this.encoded ??= Buffer.from(this.text)
    return this.encoded
  }
}

/** Keeps answers for as long as they are right, and makes each once for all who want it at one time. */
export class Answers {
  /** Those that stay right, and those about the newest block, which are dropped with it. */
  private readonly lasting: LruCache<KeptAnswer>
  private readonly passing: LruCache<KeptAnswer>
  private passingSeqno: number | undefined
  private readonly making = new Map<string, Making>()
  private readonly findHeadSeqno: () => number | undefined

  constructor({ maxBytes, findHeadSeqno }: AnswersOptions) {
    this.lasting = new LruCache(maxBytes / 2)
    this.passing = new LruCache(maxBytes / 2)
    this.findHeadSeqno = findHeadSeqno
  }

  /** The JSON of a result that is kept. */
  find(question: Question): string | undefined {
    return this.findKept(question)?.text
  }

  findKept({ lifetime, text }: Question): KeptAnswer | undefined {
    if (lifetime === 'forever') return this.lasting.find(text)
    return this.takeHead() === undefined ? undefined : this.passing.find(text)
  }

  /** The JSON of a result: the one that is kept, or the one that `make` makes. */
  async get(question: Question, call: Call, make: (call: Call) => Promise<string>): Promise<string> {
    const kept = this.find(question)
    if (kept !== undefined) {
      call.trace.isKept = true
      return kept
    }
    const key = this.findKey(question)
    // It is not known which block is the newest.
    if (key === undefined) return make(call)
    const making = this.making.get(key) ?? this.start(key, question, call, make)
    making.waiting++
    const leave = (): void => {
      if (--making.waiting > 0) return
      // Nobody wants it any more; whoever comes next shall not get its failure.
      this.forget(key, making)
      making.giveUp.abort(call.signal.reason)
    }
    const stay = watchEnd(call, leave)
    try {
      return await making.text
    } finally {
      stay()
      call.trace.nodes = making.trace.nodes
      call.trace.isKept = making.trace.isKept
    }
  }

  /** Forgets all answers, those that are being made as well. */
  clear(): void {
    this.lasting.clear()
    this.passing.clear()
    this.making.clear()
  }

  private start(key: string, question: Question, call: Call, make: (call: Call) => Promise<string>): Making {
    const giveUp = new AbortController()
    const trace = newTrace()
    const text = make({ ...call, signal: giveUp.signal, onEnd: undefined, trace })
    const making: Making = { text, trace, giveUp, waiting: 0 }
    this.making.set(key, making)
    text.then(
      (made) => {
        if (this.making.get(key) === making) this.keep(key, question, made)
        this.forget(key, making)
      },
      () => this.forget(key, making),
    )
    return making
  }

  private keep(key: string, question: Question, made: string): void {
    // There may be a newer block by now.
    if (this.findKey(question) !== key) return
    const cache = question.lifetime === 'forever' ? this.lasting : this.passing
    cache.set(question.text, new KeptAnswer(made), bytesOf(question.text) + bytesOf(made))
  }

  /** What a question is known by while its answer is made. */
  private findKey({ lifetime, text }: Question): string | undefined {
    if (lifetime === 'forever') return text
    const seqno = this.takeHead()
    return seqno === undefined ? undefined : `${seqno} ${text}`
  }

  /** The newest block; what is kept about the one before is dropped. */
  private takeHead(): number | undefined {
    const seqno = this.findHeadSeqno()
    if (seqno !== undefined && seqno !== this.passingSeqno) {
      this.passing.clear()
      this.passingSeqno = seqno
    }
    return seqno
  }

  private forget(key: string, making: Making): void {
    if (this.making.get(key) === making) this.making.delete(key)
  }
}

/** Has `leave` called when the call is no longer waited for; returns how to take that back. */
const watchEnd = (call: Call, leave: () => void): (() => void) => {
  if (call.onEnd !== undefined) return call.onEnd(leave)
  return onAbort(call.signal, leave)
}

/** At most two for a character, and what an entry costs besides. */
const bytesOf = (text: string): number => 2 * text.length + 100

/** What a request asks that came before. */
export type KnownRequest = {
  readonly endpoint: Endpoint
  readonly question: Question
  /** Of a JSON-RPC request. */
  readonly id: JsonValue | undefined
}

const maxBytes = 16 * 1024 * 1024
const maxBodyBytes = 2048
const rpcMembers = new Set(['jsonrpc', 'id', 'method', 'params'])

/**
 * Requests whose answers are kept, known by their bytes: when one comes again, nothing of it need be read. Only such are
 * remembered as say nothing beyond their parameters.
 */
export class KnownRequests {
  private readonly known = new LruCache<KnownRequest>(maxBytes)

  find(request: FastifyRequest): KnownRequest | undefined {
    const key = keyOf(request)
    return key === undefined ? undefined : this.known.find(key)
  }

  /** A GET by its path and query. */
  findUrl(url: string): KnownRequest | undefined {
    return this.known.find(url)
  }

  remember(request: FastifyRequest, endpoint: Endpoint, { trace, query, body, transport }: Call): void {
    const { question } = trace
    const key = question && keyOf(request)
    if (question === undefined || key === undefined || !saysOnly(endpoint, query, body, transport === 'rpc')) return
    const id = transport === 'rpc' ? (body as JsonObject)['id'] : undefined
    this.known.set(key, { endpoint, question, id }, 2 * key.length + 300)
  }
}

const keyOf = ({ method, url, body }: FastifyRequest): string | undefined => {
  if (method === 'GET') return url
  if (!(body instanceof Uint8Array) || body.length > maxBodyBytes) return undefined
  return `${url} ${Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')}`
}

const saysOnly = ({ params }: Endpoint, query: QueryValues, body: JsonValue | undefined, isRpc: boolean): boolean => {
  const areParams = (names: readonly string[]): boolean => names.every((name) => Object.hasOwn(params, name))
  if (!areParams(Object.keys(query))) return false
  if (body === undefined || !isJsonObject(body)) return body === undefined
  if (!isRpc) return areParams(Object.keys(body))
  const { params: args } = body
  return (
    Object.keys(body).every((name) => rpcMembers.has(name)) && (!isJsonObject(args) || areParams(Object.keys(args)))
  )
}
