import type { MessageView } from '../../api/v3/views/MessageView.ts'
import { findComment, formatOpcode } from '../model/opcodes.ts'
import { CopyButton } from './CopyButton.tsx'
import { Decoded } from './Decoded.tsx'

/** What a message says: its words, its decoded body, or that nobody knows. */
export const MessageBody = ({ message }: { readonly message: MessageView }) => {
  const content = message.message_content
  const comment = findComment(message)
  if (comment !== undefined) return <blockquote class="comment">{comment}</blockquote>
  const type = (content?.decoded as { '@type'?: unknown } | null | undefined)?.['@type']
  if (content === null || type === 'empty_cell') return <p class="muted small">Without a body.</p>
  return (
    <details class="body" open={content.decoded !== null && message.source !== null}>
      <summary>
        Body {message.opcode !== null && <span class="mono muted">{formatOpcode(message.opcode)}</span>}
        {content.body !== null && <CopyButton text={content.body} what="body as a bag of cells" />}
      </summary>
      {content.decoded === null ? (
        <p class="mono body-raw">{content.body ?? 'not kept'}</p>
      ) : (
        <Decoded value={content.decoded} />
      )}
    </details>
  )
}
