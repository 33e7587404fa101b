import { Type } from 'typebox'
import { type ListedMessage, listMessages } from '../../../store/reader/messages.ts'
import { optional, param, withDefault } from '../../core/params.ts'
import { findBodyHash, MessageDirectionParam } from '../filterParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import {
  boolParam,
  hashListParam,
  hashParam,
  opcodeParam,
  pageParams,
  readAddressKey,
  sortParam,
  windowParams,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView, MetadataView } from '../views/addressBook.ts'
import { MessageView, toMessageView } from '../views/messages.ts'

/** The word `null` stands for messages without such an address. */
const addressOrNullParam = (description: string) =>
  param(Type.String({ description }), (text): Uint8Array | 'none' => (text === 'null' ? 'none' : readAddressKey(text)))

export const messages = v3Endpoint({
  name: 'messages',
  tags: ['blockchain data'],
  summary:
    'Messages by when they were made, the newest first; before them those from outside, of which that is not known.',
  params: {
    msg_hash: optional(hashListParam('Their hashes, plain or normalised.')),
    hash: optional(hashParam('One more of their hashes.')),
    body_hash: optional(hashParam('The hash of their body.')),
    source: optional(addressOrNullParam('Who sent them; null for messages from outside.')),
    destination: optional(addressOrNullParam('Whom they were sent to; null for messages that leave the chain.')),
    opcode: optional(opcodeParam('The first 32 bits of their body.')),
    ...windowParams('a message'),
    direction: optional(MessageDirectionParam),
    exclude_externals: withDefault(boolParam('Leaves out messages from outside.'), false),
    only_externals: withDefault(boolParam('Leaves out all but messages from outside.'), false),
    sort: sortParam(),
    ...pageParams,
  },
  result: Type.Object(
    { messages: Type.Array(MessageView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'MessagesResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { msg_hash, hash, body_hash } = params
    const hashes = [...(msg_hash ?? []), ...(hash === undefined ? [] : [hash])]
    const question = {
      hashes: hashes.length === 0 ? undefined : hashes,
      bodyHash: body_hash && findBodyHash(body_hash),
      source: params.source,
      destination: params.destination,
      opcode: params.opcode,
      time: { from: params.start_utime, to: params.end_utime },
      startLt: params.start_lt,
      endLt: params.end_lt,
      side: params.direction,
      excludeExternals: params.exclude_externals,
      onlyExternals: params.only_externals,
      direction: params.sort,
    }
    const { rows, next } = await listMessages(context, question, context.readPage(params))
    context.tellNext(next)
    const beside = await hydrate(context, rows.flatMap(addressesOf))
    const { budget } = context
    return {
      messages: await budget.writeRows(rows, (row) => toMessageView(row.message, budget, row)),
      ...beside,
    }
  },
})

const addressesOf = ({ message: { source, destination } }: ListedMessage): Uint8Array[] =>
  [source, destination].filter((key) => key !== undefined)
