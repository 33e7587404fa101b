import type { Cell } from '../../codec/cell/Cell.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { DecodeBudget, type DecodedObject } from '../../contracts/layouts/DecodedValue.ts'
import type { Call } from '../core/Call.ts'
import { asJson, stringifyJson } from '../core/json/stringifyJson.ts'
import { AnswerTooLongError } from './errors.ts'

const MIB = 1024 * 1024

export const answerLimits = {
  /** Characters of an answer: the longest string of the engine has twice as many, and its envelope fits as well. */
  text: 256 * MIB,
  /** Characters of bodies and initial states in it, as bags of cells. */
  bodyText: 32 * MIB,
  /** Characters of decoded bodies in it, and cells that are entered for them. */
  decodedText: 4 * MIB,
  decodeSteps: 256 * 1024,
} as const

/** The longest that one answer is worked on while others wait. */
const SLICE_MS = 5

/** Answers that have had their slice. In each turn of the event loop one of them goes on, however many there are. */
const waiting: (() => void)[] = []

const resumeFirst = (): void => {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeFirst)
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeFirst)
  })

/**
 * Limits what one answer may cost: decoded bodies first, then bodies themselves, and the whole at last. It also decodes: bodies beyond the
 * budget are marked as truncated, and no row is ever left out.
 */
export class AnswerBudget {
  /** Knows layouts, and no budget. */
  readonly decoder: BodyDecoder
  private readonly call: Call
  private readonly decoding = new DecodeBudget({ text: answerLimits.decodedText, steps: answerLimits.decodeSteps })
  private bodyText: number = answerLimits.bodyText
  private text: number = answerLimits.text
  private sliceStart = performance.now()

  constructor(decoder: BodyDecoder, call: Call) {
    this.decoder = decoder
    this.call = call
  }

  /** No further body is decoded. */
  get isDecodingSpent(): boolean {
    return this.decoding.isSpent
  }

  decode(body: Cell): DecodedObject | undefined {
    return this.decoder.decode(body, this.decoding)
  }

  nameOf(opcode: number): string | undefined {
    return this.decoder.nameOf(opcode)
  }

  /** Pays for a body of so many bytes that is shown as a bag of cells; false where it is to be left out. */
  takeBody(bytes: number): boolean {
    this.bodyText -= Math.ceil((4 * bytes) / 3)
    return this.bodyText >= 0
  }

  /** Pays for a decoded body that is at hand. */
  takeDecoded(length: number): void {
    this.decoding.take({ text: length, steps: 0 })
  }

  /** Pays for any part of the answer. */
  takeText(length: number): void {
    this.text -= length
    if (this.text < 0) throw new AnswerTooLongError(answerLimits.text)
  }

  /** The JSON of rows, one after another. Others get their turn in between, and nobody works for a caller who has gone. */
  async writeTexts<T>(rows: readonly T[], toView: (row: T) => unknown): Promise<string[]> {
    this.sliceStart = performance.now()
    const texts: string[] = []
    for (const row of rows) {
      const text = stringifyJson(toView(row))
      this.takeText(text.length)
      texts.push(text)
      if (performance.now() - this.sliceStart > SLICE_MS) await this.letOthers()
    }
    return texts
  }

  /** As {@link writeTexts}, as members of an answer. */
  async writeRows<T, V>(rows: readonly T[], toView: (row: T) => V): Promise<V[]> {
    const texts = await this.writeTexts(rows, toView)
    return texts.map((text) => asJson<V>(text))
  }

  private async letOthers(): Promise<void> {
    await nextTurn()
    this.call.signal.throwIfAborted()
    this.sliceStart = performance.now()
  }
}
