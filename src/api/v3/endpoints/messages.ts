import { Type } from 'typebox'
import { listMessages, type MessageAddresses } from '../../../store/reader/messages.ts'
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

/** The text `null` matches messages without this address. */
const addressOrNullParam = (description: string) =>
  param(Type.String({ description }), (text): Uint8Array | 'none' => (text === 'null' ? 'none' : readAddressKey(text)))

export const messages = v3Endpoint({
  name: 'messages',
  tags: ['blockchain data'],
  summary: 'List messages, newest first. External-in messages, which have no creation time, come first.',
  params: {
    msg_hash: optional(hashListParam('Message hashes, plain or normalized.')),
    hash: optional(hashParam('One more message hash.')),
    body_hash: optional(hashParam('Body hash.')),
    source: optional(addressOrNullParam('Source address; null for external-in messages.')),
    destination: optional(addressOrNullParam('Destination address; null for external-out messages.')),
    opcode: optional(opcodeParam('Opcode: first 32 bits of the body.')),
    ...windowParams('a message'),
    direction: optional(MessageDirectionParam),
    exclude_externals: withDefault(boolParam('Exclude external-in messages.'), false),
    only_externals: withDefault(boolParam('Only external-in messages.'), false),
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
    const filter = {
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
    const { rows, next, beside } = await listMessages(context, filter, context.readPage(params), (found) =>
      hydrate(context, found.flatMap(addressesOf)),
    )
    context.tellNext(next)
    const { budget } = context
    return {
      messages: await budget.writeRows(rows, (row) => toMessageView(row.message, budget, row)),
      ...beside,
    }
  },
})

const addressesOf = ({ source, destination }: MessageAddresses): Uint8Array[] =>
  [source, destination].filter((key) => key !== undefined)
