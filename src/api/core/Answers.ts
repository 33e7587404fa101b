import { SizedCache } from '../../primitives/SizedCache.ts'
import { type Call, type CallTrace, newTrace, type Question } from './Call.ts'

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

/** Keeps answers for as long as they are right, and makes each once for all who want it at one time. */
export class Answers {
  private readonly kept: SizedCache<string>
  private readonly making = new Map<string, Making>()
  private readonly findHeadSeqno: () => number | undefined

  constructor({ maxBytes, findHeadSeqno }: AnswersOptions) {
    this.kept = new SizedCache(maxBytes)
    this.findHeadSeqno = findHeadSeqno
  }

  /** The JSON of a result that is kept. */
  find(question: Question): string | undefined {
    const key = this.findKey(question)
    return key === undefined ? undefined : this.kept.find(key)
  }

  /** The JSON of a result: the one that is kept, or the one that `make` makes. */
  async get(question: Question, call: Call, make: (call: Call) => Promise<string>): Promise<string> {
    const key = this.findKey(question)
    if (key === undefined) return make(call)
    const kept = this.kept.find(key)
    if (kept !== undefined) {
      call.trace.isKept = true
      return kept
    }
    const making = this.making.get(key) ?? this.start(key, call, make)
    making.waiting++
    const leave = (): void => {
      if (--making.waiting > 0) return
      // Nobody wants it any more; whoever comes next shall not get its failure.
      this.forget(key, making)
      making.giveUp.abort(call.signal.reason)
    }
    call.signal.addEventListener('abort', leave, { once: true })
    try {
      return await making.text
    } finally {
      call.signal.removeEventListener('abort', leave)
      call.trace.nodes = making.trace.nodes
      call.trace.isKept = making.trace.isKept
    }
  }

  /** Forgets all answers, those that are being made as well. */
  clear(): void {
    this.kept.clear()
    this.making.clear()
  }

  private start(key: string, call: Call, make: (call: Call) => Promise<string>): Making {
    const giveUp = new AbortController()
    const trace = newTrace()
    const text = make({ ...call, signal: giveUp.signal, trace })
    const making: Making = { text, trace, giveUp, waiting: 0 }
    this.making.set(key, making)
    text.then(
      (made) => {
        if (this.making.get(key) === making) this.kept.set(key, made, bytesOf(key) + bytesOf(made))
        this.forget(key, making)
      },
      () => this.forget(key, making),
    )
    return making
  }

  /** What an answer is kept under; `undefined` where it cannot be, as it is not known which block is the newest. */
  private findKey({ lifetime, text }: Question): string | undefined {
    if (lifetime === 'forever') return text
    const seqno = this.findHeadSeqno()
    return seqno === undefined ? undefined : `${seqno} ${text}`
  }

  private forget(key: string, making: Making): void {
    if (this.making.get(key) === making) this.making.delete(key)
  }
}

/** At most two for a character, and what an entry costs besides. */
const bytesOf = (text: string): number => 2 * text.length + 100
