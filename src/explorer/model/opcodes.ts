import type { MessageView } from '../../api/v3/views/MessageView.ts'

/** In hexadecimal. One dialect of the interface writes a signed number, the other text. */
export const formatOpcode = (opcode: number | string): string =>
  typeof opcode === 'string' ? opcode : `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`

/** Where several layouts have an opcode the names of all come, and none is known to be right. */
export const isCertain = (name: string): boolean => name !== 'unknown' && !name.includes(',')

type Coded = Pick<MessageView, 'opcode' | 'decoded_opcode' | 'bounced' | 'source' | 'message_content'>

/** What a message says it is, in a word or two. */
export const nameMessage = (message: Coded): string => {
  const { opcode, decoded_opcode: decoded, bounced } = message
  if (bounced === true) return 'bounced'
  const type = (message.message_content?.decoded as { '@type'?: string } | null | undefined)?.['@type']
  if (type === 'text_comment' || opcode === 0) return 'comment'
  if (decoded !== null && isCertain(decoded)) return decoded
  if (type !== undefined && type !== 'empty_cell') return type
  if (opcode !== null) return formatOpcode(opcode)
  return message.source === null ? 'external' : 'transfer'
}

/** The words that go along with coins. */
export const findComment = (message: Pick<MessageView, 'message_content'>): string | undefined => {
  const decoded = message.message_content?.decoded as Record<string, unknown> | null | undefined
  const text = decoded?.['text'] ?? decoded?.['comment']
  return typeof text === 'string' && text !== '' ? text : undefined
}
