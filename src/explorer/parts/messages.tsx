import type { ComponentChildren } from 'preact'
import type { MessageView } from '../../api/v3/views/messages.ts'
import { findRawAddress, hashToHex } from '../model/addresses.ts'
import { findComment, formatOpcode, nameMessage } from '../model/transactions.ts'
import { Amount, WalletAmount } from './Amount.tsx'
import { Badge, Card, CopyButton, Facts } from './basics.tsx'
import { AddressLink, Hash } from './links.tsx'

type Value = unknown
type Members = { readonly [name: string]: Value }

/** Layouts with an amount of jettons, and which end of the message the jetton wallet is. */
const jettonBodies: { readonly [type: string]: 'source' | 'destination' } = {
  jetton_transfer: 'destination',
  jetton_internal_transfer: 'destination',
  jetton_burn: 'destination',
  jetton_notify: 'source',
  jetton_burn_notification: 'source',
}

/** A decoded body: nested names and values. */
const Decoded = ({ value, message }: { readonly value: Members; readonly message: MessageView }) => {
  const end = jettonBodies[String(value['@type'])]
  const wallet = end === undefined ? undefined : message[end]
  return <div class="decoded">{show(value, wallet ?? undefined)}</div>
}

/** Fields with coins that are written as plain numbers. */
const COIN_FIELD = /^(forward_ton_amount|ton_amount|forward_amount|fwd_amount|fwd_gas|fwd_ton_amount)$/

const showMember = (name: string, member: Value, wallet: string | undefined): ComponentChildren => {
  const digits = (member as Members | null)?.['value'] ?? member
  const isNumber = (typeof digits === 'string' || typeof digits === 'number') && /^\d+$/.test(String(digits))
  if (isNumber && name === 'amount' && wallet !== undefined)
    return <WalletAmount value={String(digits)} wallet={wallet} />
  if (isNumber && COIN_FIELD.test(name)) return <Amount value={String(digits)} />
  return show(member)
}

/** `wallet` is the jetton wallet whose jettons the amount of this object counts. */
const show = (value: Value, wallet?: string): ComponentChildren => {
  if (value === null || value === undefined) return <span class="muted">none</span>
  if (typeof value !== 'object') return showPlain(String(value))
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="muted">empty</span>
    return value.map((each, index) => <div key={index}>{show(each)}</div>)
  }
  const members = value as Members
  const simple = findSimple(members)
  if (simple !== undefined) return simple
  const type = members['@type']
  const rest = Object.entries(members).filter(([name]) => name !== '@type')
  return (
    <div class="decoded-object">
      {typeof type === 'string' && <span class="op">{type}</span>}
      {rest.length > 0 && (
        <dl>
          {rest.map(([name, member]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{showMember(name, member, wallet)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const showPlain = (text: string): ComponentChildren => {
  const raw = findRawAddress(text)
  return raw === undefined ? <span class="mono value">{text}</span> : <AddressLink raw={raw} />
}

/** Unwraps single-value objects. */
const findSimple = (members: Members): ComponentChildren | undefined => {
  switch (members['@type']) {
    case 'var_uint':
      return showPlain(String(members['value']))
    case 'nanograms': {
      const amount = members['amount']
      const digits = (amount as Members | null)?.['value'] ?? amount
      return /^\d+$/.test(String(digits)) ? <Amount value={String(digits)} /> : show(amount)
    }
    case 'addr_none':
    case 'nothing_from_maybe':
    case 'hashmap_empty':
      return <span class="muted">none</span>
    case 'empty_cell':
      return <span class="muted">empty</span>
    case 'addr_std':
      return showPlain(`${String(members['workchain_id'])}:${String(members['address'])}`)
    case 'something_from_maybe':
    case 'first_from_either':
    case 'second_from_either':
      return show(members['value'])
    case undefined:
      return 'cell_reference' in members ? show(members['cell_reference']) : undefined
    default:
      return undefined
  }
}

/** The body of a message: comment, decoded fields, or raw. */
export const MessageBody = ({ message }: { readonly message: MessageView }) => {
  const content = message.message_content
  const comment = findComment(message)
  if (comment !== undefined) return <blockquote class="comment">{comment}</blockquote>
  const type = (content?.decoded as { '@type'?: unknown } | null | undefined)?.['@type']
  if (content === null || type === 'empty_cell') return <p class="muted small">No body.</p>
  return (
    <div class="body">
      <details open={content.decoded !== null}>
        <summary>
          Body {message.opcode !== null && <span class="mono muted">{formatOpcode(message.opcode)}</span>}
        </summary>
        {content.decoded === null ? (
          <p class="mono body-raw">{content.body ?? 'not kept'}</p>
        ) : (
          <Decoded value={content.decoded as Members} message={message} />
        )}
      </details>
      {content.body !== null && <CopyButton text={content.body} what="body as a bag of cells" />}
    </div>
  )
}

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
          bounced === true && ['Bounced', <Badge tone="bad">yes</Badge>],
          bounce !== null && bounced !== true && ['Bounce', bounce ? 'yes' : 'no'],
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
