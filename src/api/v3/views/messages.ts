import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { packCell, readPacked } from '../../../codec/stored/packCell.ts'
import { packedBocView } from '../../../codec/stored/packedBoc.ts'
import { type BodyDecoder, toMessageForm } from '../../../contracts/layouts/createBodyDecoder.ts'
import { type DecodeCost, type DecodedObject, TRUNCATED } from '../../../contracts/layouts/DecodedValue.ts'
import { ByteRing } from '../../../primitives/ByteRing.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import {
  keyText,
  type MessageRecord,
  OMITTED_CONTENT,
  type StoredContent,
} from '../../../store/reader/TransactionRecord.ts'
import { type JsonWriter, jsonNames, jsonWriter } from '../../core/json/JsonWriter.ts'
import { asJson, stringifyJson } from '../../core/json/stringifyJson.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import {
  AddressText,
  BocText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  otherAddressText,
  writeExtra,
} from './scalars.ts'

/** A decoded body: its constructor and fields. */
export const DecodedView = Type.Unsafe<DecodedObject>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'Decoded body, if its layout is known. An object of @type truncated replaces parts that are too large.',
    },
  ),
)

export const DecodedOrNull = Type.Union([DecodedView, Type.Null()])

/** As shown in messages and payloads; null if no known layout matches. */
const toDecodedView = (budget: AnswerBudget, body: Cell): DecodedObject | null => {
  const decoded = budget.decode(body)
  return decoded === undefined ? null : toMessageForm(decoded)
}

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const MessageContentView = Type.Object(
  {
    hash: orNull(HashText),
    body: orNull(BocText),
    decoded: DecodedOrNull,
  },
  { $id: 'MessageContent' },
)

/** Members that a message kind does not have are null. */
export const MessageView = Type.Object(
  {
    hash: HashText,
    hash_norm: Type.Optional(HashText),
    source: orNull(AddressText),
    destination: orNull(AddressText),
    value: orNull(DecimalText),
    value_extra_currencies: orNull(ExtraCurrenciesView),
    fwd_fee: orNull(DecimalText),
    ihr_fee: orNull(DecimalText),
    extra_flags: orNull(DecimalText),
    created_lt: orNull(DecimalText),
    created_at: orNull(DecimalText),
    opcode: orNull(Type.Integer({ description: 'First 32 bits of the body, signed.' })),
    decoded_opcode: orNull(Type.String()),
    ihr_disabled: orNull(Type.Boolean()),
    bounce: orNull(Type.Boolean()),
    bounced: orNull(Type.Boolean()),
    import_fee: orNull(DecimalText),
    message_content: orNull(MessageContentView),
    init_state: orNull(MessageContentView),
    in_msg_tx_hash: Type.Optional(HashText),
    out_msg_tx_hash: Type.Optional(HashText),
  },
  { $id: 'Message' },
)

export type MessageView = Static<typeof MessageView>

/** Hashes of the sending and receiving transactions, shown in message lists. */
export type MessageEnds = { readonly sentBy: Uint8Array | undefined; readonly receivedBy: Uint8Array | undefined }

const NO_ENDS: MessageEnds = { sentBy: undefined, receivedBy: undefined }

const names = jsonNames(
  'hash',
  'hash_norm',
  'source',
  'destination',
  'value',
  'value_extra_currencies',
  'fwd_fee',
  'ihr_fee',
  'extra_flags',
  'created_lt',
  'created_at',
  'opcode',
  'decoded_opcode',
  'ihr_disabled',
  'bounce',
  'bounced',
  'import_fee',
  'message_content',
  'init_state',
  'in_msg_tx_hash',
  'out_msg_tx_hash',
  'body',
  'decoded',
)

export const toMessageView = (message: MessageRecord, budget: AnswerBudget, ends = NO_ENDS): MessageView =>
  asJson(jsonWriter.write((writer) => writeMessage(writer, message, budget, ends)))

/** A message of a transaction. One that another transaction of the response has, too, is written once and then copied. */
export const writeOwnMessage = (writer: JsonWriter, message: MessageRecord, budget: AnswerBudget): void => {
  if (message.isRepeated !== true) {
    writeMessage(writer, message, budget)
    return
  }
  const known = budget.findMessage(message)
  if (known !== undefined && budget.takeRow(known.cost)) {
    writer.known(known.json, 0, known.json.length)
    return
  }
  const before = budget.left
  const from = writer.length
  writeMessage(writer, message, budget)
  if (budget.isEnough) budget.keepMessage(message, { json: writer.writtenFrom(from), cost: budget.costOfRow(before) })
}

const writeMessage = (
  writer: JsonWriter,
  message: MessageRecord,
  budget: AnswerBudget,
  { sentBy, receivedBy } = NO_ENDS,
): void => {
  const { kind, opcode, init } = message
  writer.open()
  writer.hash(names.hash, message.hash)
  writer.hash(names.hash_norm, message.normalHash)
  writer.address(names.source, message.source ?? null, otherAddressText)
  writer.address(names.destination, message.destination ?? null, otherAddressText)
  writer.decimal(names.value, message.value ?? null)
  if (kind !== 'internal' && kind !== 'system') writer.text(names.value_extra_currencies, null)
  else writeExtra(writer, names.value_extra_currencies, message.valueExtra, 'null')
  writer.decimal(names.fwd_fee, message.fwdFee ?? null)
  writer.decimal(names.ihr_fee, message.ihrFee ?? null)
  writer.decimal(names.extra_flags, message.extraFlags ?? null)
  writer.decimal(names.created_lt, message.createdLt ?? null)
  writer.decimal(names.created_at, message.createdAt ?? null)
  // The TON dialect finds an opcode by the member after it.
  writer.number(names.opcode, opcode ?? null)
  writer.text(names.decoded_opcode, (opcode === undefined ? undefined : budget.nameOf(opcode >>> 0)) ?? null)
  writer.flag(names.ihr_disabled, message.ihrDisabled ?? null)
  writer.flag(names.bounce, message.bounce ?? null)
  writer.flag(names.bounced, message.bounced ?? null)
  writer.decimal(names.import_fee, message.importFee ?? null)
  writeBody(writer.name(names.message_content), message.body, budget)
  if (init === undefined) writer.text(names.init_state, null)
  else writeInit(writer.name(names.init_state), init, budget)
  writer.hash(names.in_msg_tx_hash, receivedBy)
  writer.hash(names.out_msg_tx_hash, sentBy)
  writer.close()
}

/**
 * Cache of recent contents, with what each cost to decode: from the cache it costs a response the same, or it would show more or less of
 * its rows. A body appears twice in a response, with its sender and its receiver, and many are equal.
 */
const CACHE_BYTES = 4 * 1024 * 1024
const MAX_CACHED_PACKED = 512
const MAX_CACHED = 4096
const FREE: DecodeCost = { text: 0, steps: 0 }
const cached = new WeakMap<BodyDecoder, ByteRing<DecodeCost>>()

const findCached = ({ decoder }: AnswerBudget): ByteRing<DecodeCost> => {
  let contents = cached.get(decoder)
  if (contents === undefined) {
    contents = new ByteRing(CACHE_BYTES, MAX_CACHED)
    cached.set(decoder, contents)
  }
  return contents
}

/** Caches what was written from there on. */
const keep = (
  contents: ByteRing<DecodeCost>,
  key: string,
  writer: JsonWriter,
  from: number,
  cost: DecodeCost,
): void => {
  const at = contents.add(key, writer.length - from, cost)
  if (at !== undefined) writer.copyFrom(from, contents.bytes, at)
}

const EMPTY: StoredContent = { hash: emptyCell.hash(), packed: packCell(emptyCell) }

const writeBody = (writer: JsonWriter, { hash, packed }: StoredContent = EMPTY, budget: AnswerBudget): void => {
  if (packed === undefined || isLeftOut(packed, budget)) {
    writeContent(writer, hash, undefined, packed === undefined ? null : TRUNCATED)
    return
  }
  const contents = findCached(budget)
  const key = keyText(hash)
  const known = contents.find(key)
  if (known !== undefined && !budget.isDecodingSpent) {
    budget.takeDecoded(known.facts)
    writer.known(contents.bytes, known.at, known.end)
    return
  }
  const isWhole = !budget.isDecodingSpent
  const left = budget.decodingLeft
  const decoded = readPacked(packed, (body) => toDecodedView(budget, body))
  const from = writer.length
  writeContent(writer, hash, packed, decoded)
  if (isWhole && packed.length <= MAX_CACHED_PACKED) keep(contents, key, writer, from, budget.costSince(left))
}

const writeInit = (writer: JsonWriter, { hash, packed }: StoredContent, budget: AnswerBudget): void => {
  if (packed === undefined || isLeftOut(packed, budget)) {
    writeContent(writer, hash, undefined, packed === undefined ? null : TRUNCATED)
    return
  }
  const contents = findCached(budget)
  const key = `init ${keyText(hash)}`
  const known = contents.find(key)
  if (known !== undefined) {
    writer.known(contents.bytes, known.at, known.end)
    return
  }
  const from = writer.length
  writeContent(writer, hash, packed, null)
  keep(contents, key, writer, from, FREE)
}

const writeContent = (
  writer: JsonWriter,
  hash: Uint8Array,
  packed: Uint8Array | undefined,
  decoded: DecodedObject | null,
): void => {
  writer.open()
  writer.hash(names.hash, hash)
  if (packed === undefined) writer.text(names.body, null)
  else writer.base64(names.body, packedBocView(packed))
  if (decoded === null) writer.text(names.decoded, null)
  else writer.json(names.decoded, stringifyJson(decoded))
  writer.close()
}

/** Omitted by the store, or beyond the budget of the response. */
const isLeftOut = (packed: Uint8Array, budget: AnswerBudget): boolean =>
  packed === OMITTED_CONTENT || !budget.takeBody(packed.length)

/** The payload of a token transfer. */
export const PayloadText = Type.Union([BocText, Type.Null()])

type Payload = { readonly boc: string | null; readonly decoded: DecodedObject | null }

const noPayload: Payload = { boc: null, decoded: null }

/** A stored payload as a bag of cells, and decoded. */
export const toPayload = (budget: AnswerBudget, packed: Uint8Array | undefined): Payload => {
  if (packed === undefined) return noPayload
  if (!budget.takeBody(packed.length)) return { boc: null, decoded: TRUNCATED }
  return readPacked(packed, (cell) => ({
    boc: toBase64(encodeBoc([cell], CHECKED_BOC)),
    decoded: toDecodedView(budget, cell),
  }))
}
