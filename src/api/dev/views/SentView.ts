import { type Static, Type } from 'typebox'
import type { Sent } from '../../../devnet/network/NetworkControls.ts'
import { toBase64 } from '../../../primitives/base64.ts'

export const SentView = Type.Object(
  {
    message_hash: Type.String({
      description: 'The hash of the message, in base64.',
      examples: ['8lTYmChbsTfFEtC3/MoVfXSbG5P5YdxuaXsCAPHemyA='],
    }),
  },
  { $id: 'Sent', description: 'By which message it was done.' },
)

export const toSentView = ({ messageHash }: Sent): Static<typeof SentView> => ({ message_hash: toBase64(messageHash) })
