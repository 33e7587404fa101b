import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { emptyCell } from '../../../codec/cell/CellWriter.ts'
import { CHECKED_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import type { BodyDecoder } from '../../../contracts/layouts/createBodyDecoder.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageRecord, StoredContent } from '../../../store/reader/TransactionRecord.ts'
import { DecodedOrNull, toDecodedView } from './DecodedView.ts'
import { ExtraCurrenciesView, toKnownExtra } from './ExtraCurrenciesView.ts'
import { AddressText, addressText, BocText, DecimalText, HashText, hashText } from './scalars.ts'

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

/** Members that a kind of message does not have are null. */
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
    opcode: orNull(Type.Integer({ description: 'The first 32 bits of the body, signed.' })),
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

export const toMessageView = (message: MessageRecord, decoder: BodyDecoder): MessageView => {
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
    // The other dialect finds an opcode by what comes after it.
    opcode: opcode ?? null,
    decoded_opcode: (opcode === undefined ? undefined : decoder.nameOf(opcode >>> 0)) ?? null,
    ihr_disabled: message.ihrDisabled ?? null,
    bounce: message.bounce ?? null,
    bounced: message.bounced ?? null,
    import_fee: decimal(message.importFee),
    message_content: toContentView(message.body, decoder),
    init_state: message.init === undefined ? null : toInitView(message.init),
  } as MessageView
}

/**
 * Bodies that were shown of late. One is in an answer twice, with who sent it and with who received it, and many are the same; to read
 * what it means and to write it takes half the time of a message.
 */
const MAX_KEPT = 8192
const MAX_KEPT_BYTES = 512
const kept = new WeakMap<BodyDecoder, Map<string, MessageContentView>>()

const keptOf = (decoder: BodyDecoder): Map<string, MessageContentView> => {
  const known = kept.get(decoder)
  if (known !== undefined && known.size < MAX_KEPT) return known
  const views = new Map<string, MessageContentView>()
  kept.set(decoder, views)
  return views
}

const EMPTY = { hash: hashText(emptyCell.hash()), body: toBase64(encodeBoc([emptyCell], CHECKED_BOC)) }

const toContentView = (body: StoredContent | undefined, decoder: BodyDecoder): MessageContentView => {
  const hash = body === undefined ? EMPTY.hash : hashText(body.hash)
  const views = keptOf(decoder)
  const known = views.get(hash)
  if (known !== undefined) return known
  if (body === undefined) {
    const empty = { ...EMPTY, decoded: toDecodedView(decoder, emptyCell) }
    views.set(hash, empty)
    return empty
  }
  if (body.packed === undefined) return { hash, body: null, decoded: null }
  const cell = unpackCell(body.packed)
  const view = { hash, body: bocText(cell), decoded: toDecodedView(decoder, cell) }
  if (body.packed.length <= MAX_KEPT_BYTES) views.set(hash, view)
  return view
}

const toInitView = ({ hash, packed }: StoredContent): MessageContentView => ({
  hash: hashText(hash),
  body: packed === undefined ? null : bocText(unpackCell(packed)),
  decoded: null,
})

const bocText = (cell: Cell): string => toBase64(encodeBoc([cell], CHECKED_BOC))
