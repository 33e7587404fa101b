import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { packCell, unpackCell } from '../../../codec/stored/packCell.ts'
import { type BodyDecoder, toMessageForm } from '../../../contracts/layouts/createBodyDecoder.ts'
import { type DecodedObject, TRUNCATED } from '../../../contracts/layouts/DecodedValue.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { type MessageRecord, OMITTED_CONTENT, type StoredContent } from '../../../store/reader/TransactionRecord.ts'
import { asJson, stringifyJson } from '../../core/json/stringifyJson.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import {
  AddressText,
  addressText,
  BocText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  hashText,
  packedBocText,
  toKnownExtra,
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

type MessageContentView = Static<typeof MessageContentView>

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

const decimal = (value: bigint | number | undefined): string | null => (value === undefined ? null : String(value))

const address = (key: Uint8Array | undefined): string | null => (key === undefined ? null : addressText(key))

/** Hashes of the sending and receiving transactions, shown in message lists. */
export type MessageEnds = { readonly sentBy: Uint8Array | undefined; readonly receivedBy: Uint8Array | undefined }

const NO_ENDS: MessageEnds = { sentBy: undefined, receivedBy: undefined }

export const toMessageView = (
  message: MessageRecord,
  budget: AnswerBudget,
  { sentBy, receivedBy } = NO_ENDS,
): MessageView => {
  const { kind, opcode, normalHash } = message
  const isInternal = kind === 'internal' || kind === 'system'
  return {
    hash: hashText(message.hash),
    hash_norm: normalHash && hashText(normalHash),
    source: address(message.source),
    destination: address(message.destination),
    value: decimal(message.value),
    value_extra_currencies: isInternal ? (toKnownExtra(message.valueExtra) ?? null) : null,
    fwd_fee: decimal(message.fwdFee),
    ihr_fee: decimal(message.ihrFee),
    extra_flags: decimal(message.extraFlags),
    created_lt: decimal(message.createdLt),
    created_at: decimal(message.createdAt),
    // The TON dialect finds an opcode by the member after it.
    opcode: opcode ?? null,
    decoded_opcode: (opcode === undefined ? undefined : budget.nameOf(opcode >>> 0)) ?? null,
    ihr_disabled: message.ihrDisabled ?? null,
    bounce: message.bounce ?? null,
    bounced: message.bounced ?? null,
    import_fee: decimal(message.importFee),
    message_content: toContentView(message.body, budget),
    init_state: message.init === undefined ? null : toInitView(message.init, budget),
    in_msg_tx_hash: receivedBy && hashText(receivedBy),
    out_msg_tx_hash: sentBy && hashText(sentBy),
  } as MessageView
}

/**
 * Cache of recent bodies. A body appears twice in a response, with its sender and its receiver, and many are equal. The cache is small and
 * holds text only: long-lived objects would slow down major garbage collections.
 */
const MAX_CACHED = 1024
const MAX_CACHED_BYTES = 512
const MAX_CACHED_TEXT = 4096
const cached = new WeakMap<BodyDecoder, LruCache<string>>()

const findCached = ({ decoder }: AnswerBudget): LruCache<string> => {
  let texts = cached.get(decoder)
  if (texts === undefined) {
    texts = new LruCache(MAX_CACHED)
    cached.set(decoder, texts)
  }
  return texts
}

const EMPTY: StoredContent = { hash: emptyCell.hash(), packed: packCell(emptyCell) }

const toContentView = (body: StoredContent = EMPTY, budget: AnswerBudget): MessageContentView => {
  const hash = hashText(body.hash)
  if (body.packed === undefined) return { hash, body: null, decoded: null }
  if (isLeftOut(body.packed, budget)) return { hash, body: null, decoded: TRUNCATED }
  const texts = findCached(budget)
  const known = texts.find(hash)
  if (known !== undefined && !budget.isDecodingSpent) {
    budget.takeDecoded(known.length)
    return asJson(known)
  }
  const isWhole = !budget.isDecodingSpent
  const decoded = toDecodedView(budget, unpackCell(body.packed))
  const text = contentJson(hash, body.packed, decoded)
  if (isWhole && body.packed.length <= MAX_CACHED_BYTES && text.length <= MAX_CACHED_TEXT) texts.set(hash, text)
  return asJson(text)
}

/** Base64 needs no escapes. */
const contentJson = (hash: string, packed: Uint8Array, decoded: DecodedObject | null): string =>
  `{"hash":"${hash}","body":"${packedBocText(packed)}","decoded":${decoded === null ? 'null' : stringifyJson(decoded)}}`

const toInitView = ({ hash, packed }: StoredContent, budget: AnswerBudget): MessageContentView => {
  const text = hashText(hash)
  if (packed === undefined) return { hash: text, body: null, decoded: null }
  if (isLeftOut(packed, budget)) return { hash: text, body: null, decoded: TRUNCATED }
  const texts = findCached(budget)
  const name = `init ${text}`
  let json = texts.find(name)
  if (json === undefined) {
    json = contentJson(text, packed, null)
    if (json.length <= MAX_CACHED_TEXT) texts.set(name, json)
  }
  return asJson(json)
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
  const cell = unpackCell(packed)
  return { boc: toBase64(encodeBoc([cell], CHECKED_BOC)), decoded: toDecodedView(budget, cell) }
}
