import { type Static, Type } from 'typebox'
import { normalizedExternalHash } from '../../../codec/tlb/Message.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { SentMessage } from '../sendMessage.ts'
import { HashView, typeName } from './scalars.ts'

export const SentMessageView = Type.Object(
  { '@type': typeName('raw.extMessageInfo'), hash: HashView, hash_norm: HashView },
  {
    $id: 'SentMessage',
    description: 'The hash of a message as it was sent, and the one that it has however it is packed.',
  },
)

export const toSentMessageView = ({ root, message }: SentMessage): Static<typeof SentMessageView> => ({
  '@type': 'raw.extMessageInfo',
  hash: toBase64(root.hash()),
  hash_norm: toBase64(normalizedExternalHash(message)),
})
