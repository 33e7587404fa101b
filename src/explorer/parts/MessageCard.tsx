import type { MessageView } from '../../api/v3/views/MessageView.ts'
import { hashToHex } from '../model/Hash.ts'
import { nameMessage } from '../model/opcodes.ts'
import { AddressLink } from './AddressLink.tsx'
import { Amount } from './Amount.tsx'
import { Badge } from './Badge.tsx'
import { Card } from './Card.tsx'
import { Facts } from './Facts.tsx'
import { Hash } from './Hash.tsx'
import { MessageBody } from './MessageBody.tsx'

type MessageProps = { readonly message: MessageView; readonly title: string; readonly self: string }

export const MessageCard = ({ message, title, self }: MessageProps) => {
  const { source, destination, value, fwd_fee: forward, bounce, bounced, hash } = message
  const other = message.in_msg_tx_hash ?? message.out_msg_tx_hash
  return (
    <Card title={title} aside={<span class="op">{nameMessage(message)}</span>}>
      <Facts
        facts={[
          [
            'From',
            source === null ? <span class="muted">outside</span> : <AddressLink raw={source} self={self} hasKind />,
          ],
          [
            'To',
            destination === null ? (
              <span class="muted">outside</span>
            ) : (
              <AddressLink raw={destination} self={self} hasKind />
            ),
          ],
          value !== null && ['Value', <Amount value={value} />],
          forward !== null && ['Forward fee', <Amount value={forward} />],
          bounced === true && ['Bounced', <Badge tone="bad">it came back</Badge>],
          bounce !== null && bounced !== true && ['If it fails', bounce ? 'comes back' : 'stays there'],
          ['Hash', <Hash hash={hash} what="hash of the message" />],
          other !== undefined && [
            'Transaction',
            <Hash hash={other} what="hash" to={{ page: 'transaction', hash: hashToHex(other) }} />,
          ],
        ]}
      />
      <MessageBody message={message} />
    </Card>
  )
}
