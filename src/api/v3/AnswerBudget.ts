import type { Cell } from '../../codec/cell/Cell.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { DecodeBudget, type DecodeCost, type DecodedObject } from '../../contracts/layouts/DecodedValue.ts'
import { Slices } from '../../primitives/scheduling.ts'
import type { MessageRecord } from '../../store/reader/TransactionRecord.ts'
import type { Call } from '../core/Call.ts'
import { encodeJson, type Json, listAsJson } from '../core/json/stringifyJson.ts'
import { LongAnswerError } from '../core/SlowLane.ts'
import { AnswerTooLongError } from './errors.ts'

const MIB = 1024 * 1024

export const answerLimits = {
  /** Characters of a response: half of the longest string of the engine, so that the envelope fits, too. */
  text: 256 * MIB,
  /** Characters of bodies and state inits, as bags of cells. */
  bodyText: 32 * MIB,
  /** Characters of decoded bodies, and cells visited to decode them. */
  decodedText: 4 * MIB,
  decodeSteps: 256 * 1024,
} as const

/** Characters of a response that the slow lane does not answer. */
const SHORT_TEXT = MIB
/** Bytes of cells that a response takes apart, likewise: 250 messages that share a body fit into a few thousand bytes. */
const SHORT_PARSED = 8 * 1024

/** What a row takes from the budget, apart from the length of its text. */
export type RowCost = DecodeCost & { readonly body: number }

/** The JSON of a message that appears twice in a response. */
export type WrittenMessage = { readonly json: Buffer; readonly cost: RowCost }

/**
 * Size budget of one response: of decoded bodies, of bodies, and of the whole. It also decodes bodies: those beyond the budget are marked
 * as truncated. Rows are never omitted.
 */
export class AnswerBudget {
  /** Decodes without a budget. */
  readonly decoder: BodyDecoder
  private readonly call: Pick<Call, 'signal' | 'isShort'>
  private readonly decoding = new DecodeBudget({ text: answerLimits.decodedText, steps: answerLimits.decodeSteps })
  private bodyText: number = answerLimits.bodyText
  private text: number = answerLimits.text
  private readonly messages = new Map<MessageRecord, WrittenMessage>()

  constructor(decoder: BodyDecoder, call: Pick<Call, 'signal' | 'isShort'>) {
    this.decoder = decoder
    this.call = call
  }

  /** The budget of decoded bodies is used up. */
  get isDecodingSpent(): boolean {
    return this.decoding.isSpent
  }

  decode(body: Cell): DecodedObject | undefined {
    return this.decoder.decode(body, this.decoding)
  }

  /** What `decode` has cost since the budget had this much left. */
  costSince(left: DecodeCost): DecodeCost {
    const { text, steps } = this.decoding.left
    return { text: left.text - text, steps: left.steps - steps }
  }

  get decodingLeft(): DecodeCost {
    return this.decoding.left
  }

  nameOf(opcode: number): string | undefined {
    return this.decoder.nameOf(opcode)
  }

  /** Charges a body of this many bytes, shown as a bag of cells; false if it must be omitted. */
  takeBody(bytes: number): boolean {
    this.bodyText -= Math.ceil((4 * bytes) / 3)
    return this.bodyText >= 0
  }

  get left(): RowCost {
    const { text, steps } = this.decoding.left
    return { text, steps, body: this.bodyText }
  }

  /** What was taken since this much was left. */
  costOfRow({ text, steps, body }: RowCost): RowCost {
    const { left } = this
    return { text: text - left.text, steps: steps - left.steps, body: body - left.body }
  }

  /** No body so far was omitted, and none was truncated for want of budget. */
  get isEnough(): boolean {
    return !this.isDecodingSpent && this.bodyText >= 0
  }

  /** Charges a row that was written before; false if it would not be written whole now. */
  takeRow(cost: RowCost): boolean {
    const { text, steps, body } = this.left
    if (cost.text >= text || cost.steps >= steps || cost.body > body) return false
    this.decoding.take(cost)
    this.bodyText -= cost.body
    return true
  }

  /** A message that was written before. */
  findMessage(message: MessageRecord): WrittenMessage | undefined {
    return this.messages.get(message)
  }

  keepMessage(message: MessageRecord, written: WrittenMessage): void {
    this.messages.set(message, written)
  }

  /** Charges a body that was decoded before. */
  takeDecoded(cost: DecodeCost): void {
    this.decoding.take(cost)
  }

  /** Charges any part of the response. */
  takeText(length: number): void {
    this.text -= length
    if (this.text < 0) throw new AnswerTooLongError(answerLimits.text)
    if (this.text < answerLimits.text - SHORT_TEXT && this.call.isShort === true) throw new LongAnswerError()
  }

  /** Before bags of cells of this many bytes are taken apart: the slow lane does that where there are many. */
  expectParsing(bytes: number): void {
    if (bytes > SHORT_PARSED && this.call.isShort === true) throw new LongAnswerError()
  }

  /** The JSON of rows. Yields to other requests in between, and stops if the caller has disconnected. */
  async writeTexts<T>(rows: readonly T[], toView: (row: T) => unknown): Promise<Json[]> {
    const slices = new Slices()
    const texts: Json[] = []
    for (const row of rows) {
      const view = toView(row)
      const text = encodeJson(view instanceof Promise ? await view : view)
      this.takeText(text.length)
      texts.push(text)
      if (slices.isOver) {
        await slices.next()
        this.call.signal.throwIfAborted()
      }
    }
    return texts
  }

  /** Like {@link writeTexts}, as a list in a response, which cannot be read. */
  async writeRows<T, V>(rows: readonly T[], toView: (row: T) => V | Promise<V>): Promise<V[]> {
    return listAsJson<V>(await this.writeTexts(rows, toView))
  }
}
