import { type Static, Type } from 'typebox'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { writeStateInit } from '../../../codec/tlb/StateInit.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageReading } from '../TransactionReading.ts'
import { BytesView, toCellBytes, toMaybeCellBytes, typeName } from './scalars.ts'

const TextDataView = Type.Object({ '@type': typeName('msg.dataText'), text: BytesView }, { $id: 'MsgDataText' })

const EncryptedDataView = Type.Object(
  { '@type': typeName('msg.dataEncryptedText'), text: BytesView },
  { $id: 'MsgDataEncryptedText' },
)

const RawDataView = Type.Object(
  { '@type': typeName('msg.dataRaw'), body: BytesView, init_state: BytesView },
  { $id: 'MsgDataRaw' },
)

export const MessageDataView = Type.Union([TextDataView, EncryptedDataView, RawDataView], {
  $id: 'MsgData',
  description: 'What a message carries: a comment, an encrypted one, or anything else.',
})

export const toMessageDataView = ({ message, body, comment }: MessageReading): Static<typeof MessageDataView> => {
  if (comment?.kind === 'text') return { '@type': 'msg.dataText', text: toBase64(comment.bytes) }
  if (comment?.kind === 'encrypted') return { '@type': 'msg.dataEncryptedText', text: toBase64(comment.bytes) }
  const init = message.init && writeWhole(writeStateInit, message.init.value)
  return { '@type': 'msg.dataRaw', body: toCellBytes(body), init_state: toMaybeCellBytes(init) }
}
