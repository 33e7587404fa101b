import type { DecodedObject } from './DecodedValue.ts'

/**
 * A decoded body as it stands in messages, transfers and traces: there a comment has the form that clients knew before
 * other bodies were decoded. Comments inside other bodies, and `/decode`, have the plain form.
 */
export const toMessageForm = (decoded: DecodedObject): DecodedObject =>
  decoded['@type'] === 'text_comment' && typeof decoded['text'] === 'string'
    ? { type: 'text_comment', '@type': 'text_comment', comment: decoded['text'] }
    : decoded
