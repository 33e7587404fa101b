import { type Static, Type } from 'typebox'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { openRaw } from '../../../codec/cell/CellReader.ts'
import { findUtf8 } from '../../../codec/content/text.ts'
import { findStandardAddress, type MsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { formatFriendlyAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageReading } from '../TransactionReading.ts'
import { messageMembers, toMessageMembers } from './messageMembers.ts'
import { FriendlyView, typeName } from './scalars.ts'

const MaybeFriendlyView = Type.Union([FriendlyView, Type.Literal('')])

export const ExtMessageView = Type.Object(
  {
    '@type': typeName('ext.message'),
    ...messageMembers,
    source: MaybeFriendlyView,
    destination: MaybeFriendlyView,
    message: Type.Optional(
      Type.String({ description: 'The comment; of other bodies, the bits of the first cell in base64.' }),
    ),
    message_decode_error: Type.Optional(Type.String({ description: 'Why there is no text.' })),
  },
  { $id: 'ExtMessage', description: 'A message of a transaction.' },
)

export const toExtMessageView = (reading: MessageReading): Static<typeof ExtMessageView> => ({
  '@type': 'ext.message',
  ...toMessageMembers(reading),
  source: toMaybeFriendly(reading.message.info.source),
  destination: toMaybeFriendly(reading.message.info.destination),
  ...toText(reading),
})

const toMaybeFriendly = (address: MsgAddress): string => {
  const account = findStandardAddress(address)
  return account === undefined ? '' : formatFriendlyAddress(account)
}

const toText = ({
  comment,
  body,
}: MessageReading): Pick<Static<typeof ExtMessageView>, 'message' | 'message_decode_error'> => {
  if (comment === undefined) return { message: toRootBits(body) }
  const message = findUtf8(comment.bytes)
  return message === undefined ? { message_decode_error: 'The comment is not UTF-8.' } : { message }
}

/** Clients know these bits with a line break behind them. */
const toRootBits = (body: Cell): string => (body.bits === 0 ? '' : `${toBase64(openRaw(body).readBits(body.bits))}\n`)
