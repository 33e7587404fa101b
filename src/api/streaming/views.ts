import { type Static, type TSchema, Type } from 'typebox'
import { eventTypes, filterLimits, messageKinds } from '../../streaming/subscription/Subscription.ts'
import { AccountStateView } from '../v3/views/accounts.ts'
import { ActionView } from '../v3/views/actions.ts'
import { AddressBookView, MetadataView } from '../v3/views/addressBook.ts'
import { BlockIdView, BlockView } from '../v3/views/blocks.ts'
import { JettonWalletView } from '../v3/views/jettons.ts'
import { AddressText, DecimalText, HashText } from '../v3/views/scalars.ts'
import { type TraceNode, TraceNodeView } from '../v3/views/traces.ts'
import { TransactionView } from '../v3/views/transactions.ts'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const oneOf = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    description === undefined ? {} : { description },
  ) as unknown as ReturnType<typeof Type.Unsafe<T[number]>>

const FinalityView = Type.Union([Type.Literal('pending'), Type.Literal('confirmed'), Type.Literal('finalized')], {
  $id: 'Finality',
})

/** Members of events for extended subscriptions. */
const extendedMembers = {
  event_id: Type.Optional(
    Type.String({
      description: 'Id of the event; a stream resumes after it.',
      examples: ['f-54518966-64153276000007-tx-eeca4f1324703922'],
    }),
  ),
  emitted_at: Type.Optional(Type.Integer({ description: 'Unix time in milliseconds.' })),
  mc_seqno: Type.Optional(Type.Integer({ description: 'Newest finalized masterchain block.' })),
}

const books = {
  address_book: Type.Optional(orNull(AddressBookView)),
  metadata: Type.Optional(orNull(MetadataView)),
}

const ofTrace = {
  finality: FinalityView,
  trace_external_hash_norm: orNull(HashText),
  trace_id: Type.Optional(HashText),
}

const revised = {
  ...extendedMembers,
  revision: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of this event of its trace and type.' })),
}

const TransactionsEvent = Type.Object(
  {
    type: Type.Literal('transactions'),
    ...ofTrace,
    transactions: Type.Array(TransactionView, { description: 'Logical time descending.' }),
    ...books,
    ...revised,
  },
  { $id: 'TransactionsEvent', description: 'Transactions of the subscribed accounts.' },
)

const ActionsEvent = Type.Object(
  {
    type: Type.Literal('actions'),
    ...ofTrace,
    actions: Type.Array(ActionView, { description: 'Latest first.' }),
    ...books,
    ...revised,
  },
  { $id: 'ActionsEvent', description: 'Actions of the subscribed accounts.' },
)

const TraceEvent = Type.Object(
  {
    type: Type.Literal('trace'),
    ...ofTrace,
    trace: Type.Optional(Type.Unsafe<TraceNode>(TraceNodeView)),
    transactions: Type.Record(Type.String(), TransactionView, { description: 'By hash.' }),
    actions: Type.Optional(Type.Array(ActionView)),
    is_incomplete: Type.Optional(Type.Boolean({ description: 'Some transactions of the trace are missing.' })),
    ...books,
    ...revised,
  },
  { $id: 'TraceEvent', description: 'A whole trace.' },
)

const AccountStateEvent = Type.Object(
  {
    type: Type.Literal('account_state_change'),
    finality: FinalityView,
    account: AddressText,
    state: AccountStateView,
    lt: Type.Optional(DecimalText),
    last_transaction_hash: Type.Optional(HashText),
    utime: Type.Optional(
      Type.Integer({ description: 'Unix time of the masterchain block; confirmed: of the shard block.' }),
    ),
    mc_block_seqno: Type.Optional(orNull(Type.Integer())),
    previous: Type.Optional(Type.Object({ balance: orNull(DecimalText), hash: HashText })),
    ...extendedMembers,
  },
  {
    $id: 'AccountStateEvent',
    description: 'The last state of an account in a masterchain block; confirmed: in a shard block.',
  },
)

const JettonsEvent = Type.Object(
  {
    type: Type.Literal('jettons_change'),
    finality: FinalityView,
    jetton: JettonWalletView,
    ...books,
    ...extendedMembers,
  },
  { $id: 'JettonsEvent', description: 'A jetton wallet after a transaction.' },
)

const TraceInvalidatedEvent = Type.Object(
  { type: Type.Literal('trace_invalidated'), trace_external_hash_norm: HashText, ...extendedMembers },
  { $id: 'TraceInvalidatedEvent', description: 'A trace that was sent did not happen: drop all data of this hash.' },
)

const BlockEvent = Type.Object(
  {
    type: Type.Literal('block'),
    finality: FinalityView,
    block: BlockView,
    transactions_count: Type.Integer(),
    ...extendedMembers,
  },
  { $id: 'BlockEvent' },
)

const MasterchainHeadEvent = Type.Object(
  {
    type: Type.Literal('masterchain_head'),
    seqno: Type.Integer(),
    root_hash: HashText,
    file_hash: HashText,
    gen_utime: Type.Integer(),
    shards: Type.Array(BlockIdView),
    ...extendedMembers,
  },
  {
    $id: 'MasterchainHeadEvent',
    description: 'All finalized events up to this masterchain block have been sent: the checkpoint to store.',
  },
)

const StateInvalidatedEvent = Type.Object(
  {
    type: Type.Literal('state_invalidated'),
    account: AddressText,
    hash: HashText,
    lt: DecimalText,
    ...extendedMembers,
  },
  {
    $id: 'StateInvalidatedEvent',
    description: 'A confirmed state that did not become final: drop the account state or jetton wallet of this lt.',
  },
)

const MessageExpiredEvent = Type.Object(
  {
    type: Type.Literal('message_expired'),
    trace_external_hash_norm: HashText,
    reason: oneOf(['lifetime', 'replaced', 'block_discarded', 'rejected']),
    exit_code: Type.Optional(Type.Integer({ description: 'With the reason rejected.' })),
    ...extendedMembers,
  },
  { $id: 'MessageExpiredEvent', description: 'Why a pending or confirmed trace was invalidated.' },
)

/** Members of a gap, also in the response of the polling endpoint. */
const gapMembers = {
  lost: oneOf(['speculative', 'all'], 'What was not sent.'),
  reason: oneOf(['slow_consumer', 'journal_gone', 'not_kept', 'source']),
  from: Type.String({ description: 'Id after which events are missing.' }),
  to: Type.String({ description: 'Id up to which events are missing.' }),
}

const GapEvent = Type.Object({ type: Type.Literal('gap'), ...gapMembers, ...extendedMembers }, { $id: 'GapEvent' })

export const GapView = Type.Object(gapMembers, { $id: 'Gap' })

/** Every event of a stream, told apart by `type`. */
export const EventView = Type.Union(
  [
    TransactionsEvent,
    ActionsEvent,
    TraceEvent,
    AccountStateEvent,
    JettonsEvent,
    TraceInvalidatedEvent,
    BlockEvent,
    MasterchainHeadEvent,
    StateInvalidatedEvent,
    MessageExpiredEvent,
    GapEvent,
  ],
  { $id: 'StreamEvent' },
)

export type EventView = Static<typeof EventView>

const list = (items: TSchema, description: string, maxItems?: number) =>
  Type.Array(items, maxItems === undefined ? { description } : { description, maxItems })

const position = (description: string) =>
  Type.Union(
    [
      Type.Literal('head'),
      Type.String({ description: 'Event id.' }),
      Type.Object({ mc_seqno: Type.Integer({ minimum: 0 }) }),
      Type.Object({ utime: Type.Integer({ minimum: 0 }) }),
    ],
    { description },
  )

const FiltersView = Type.Object(
  {
    opcodes: Type.Optional(
      list(
        Type.Union([Type.String(), Type.Integer()]),
        'Opcodes of incoming messages; for transactions.',
        filterLimits.opcodes,
      ),
    ),
    jetton_masters: Type.Optional(
      list(Type.String(), 'Jetton masters; may replace addresses.', filterLimits.jetton_masters),
    ),
    code_hashes: Type.Optional(
      list(Type.String(), 'Hashes of the code of accounts; may replace addresses.', filterLimits.code_hashes),
    ),
    message_kinds: Type.Optional(Type.Array(oneOf(messageKinds), { description: 'Kinds of incoming messages.' })),
    min_value: Type.Optional(Type.String({ description: 'Least value of incoming messages, in nano units.' })),
    success: Type.Optional(Type.Boolean({ description: 'Whether the compute phase and the action phase succeeded.' })),
  },
  { $id: 'StreamFilters', description: 'All given filters must pass, with one value of each.' },
)

/** A subscription: body of a server-sent events request, operation `subscribe` of a WebSocket, and part of a webhook. */
export const SubscriptionView = Type.Object(
  {
    types: Type.Array(oneOf([...eventTypes, 'trace_invalidated'] as const), { minItems: 1 }),
    addresses: Type.Optional(
      list(Type.String(), 'Addresses in any form. Required unless all types are trace or blocks. "*" means all.'),
    ),
    trace_external_hash_norms: Type.Optional(
      list(Type.String(), 'Normalized hashes of external-in messages; with the type trace.'),
    ),
    min_finality: Type.Optional(oneOf(['pending', 'confirmed', 'finalized'], 'Default: finalized.')),
    action_types: Type.Optional(list(Type.String(), 'Action types to send; all if empty.', 1000)),
    supported_action_types: Type.Optional(
      list(Type.String(), 'Action types, or shortcuts for them, that the client supports. Default: latest.', 1000),
    ),
    include_address_book: Type.Optional(Type.Boolean()),
    include_metadata: Type.Optional(Type.Boolean()),
    id: Type.Optional(orNull(Type.String({ description: 'Returned in the answer.' }))),
    extended: Type.Optional(
      Type.Boolean({
        description: 'Adds ids and times to events, and sends further types. Implied by filters, deliver and "*".',
      }),
    ),
    deliver: Type.Optional(
      oneOf(
        ['trace', 'transaction'],
        'Transactions of a whole trace once it is final, or of an account as soon as they are. Default: trace; webhooks: transaction.',
      ),
    ),
    filters: Type.Optional(FiltersView),
    since: Type.Optional(position('Resumes after an event, a masterchain block or a time. Default: head.')),
    until: Type.Optional(position('Ends the stream.')),
    on_gap: Type.Optional(oneOf(['fail', 'mark'], 'If events after since are not kept any more. Default: fail.')),
  },
  { $id: 'Subscription' },
)

export type SubscriptionView = Static<typeof SubscriptionView>
