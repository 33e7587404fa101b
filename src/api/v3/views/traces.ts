import { type Static, Type } from 'typebox'
import { asJson, type Json, recordAsJson } from '../../core/json/stringifyJson.ts'
import { ActionView } from './actions.ts'
import { AddressBookView, MetadataView } from './addressBook.ts'
import { DecimalText, HashText, hashText } from './scalars.ts'
import { TransactionView } from './transactions.ts'

const TraceMetaView = Type.Object(
  {
    trace_state: Type.Union([Type.Literal('complete'), Type.Literal('pending'), Type.Literal('broken')]),
    messages: Type.Integer({ description: 'Internal, external-in and external-out messages.' }),
    transactions: Type.Integer(),
    pending_messages: Type.Integer({ description: 'Messages in flight.' }),
    classification_state: Type.Union([
      Type.Literal('unclassified'),
      Type.Literal('failed'),
      Type.Literal('ok'),
      Type.Literal('broken'),
    ]),
  },
  { $id: 'TraceMeta' },
)

export const TraceNodeView = Type.Cyclic(
  {
    TraceNode: Type.Object({
      tx_hash: Type.String(),
      in_msg_hash: Type.Optional(Type.String({ description: 'Absent if no message triggered it.' })),
      children: Type.Array(Type.Ref('TraceNode')),
    }),
  },
  'TraceNode',
)

export type TraceNode = { tx_hash: string; in_msg_hash?: string | undefined; children: TraceNode[] }

const orNull = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const TraceView = Type.Object(
  {
    trace_id: orNull(HashText),
    external_hash: orNull(HashText),
    mc_seqno_start: DecimalText,
    mc_seqno_end: DecimalText,
    start_lt: DecimalText,
    start_utime: Type.Integer(),
    end_lt: orNull(DecimalText),
    end_utime: orNull(Type.Integer()),
    trace_info: TraceMetaView,
    is_incomplete: Type.Boolean({ description: 'True if the trace is too large to be shown whole.' }),
    warning: Type.Optional(Type.String()),
    actions: Type.Optional(Type.Array(ActionView)),
    trace: Type.Optional(Type.Unsafe<TraceNode>(TraceNodeView)),
    transactions_order: Type.Optional(Type.Array(HashText)),
    transactions: Type.Optional(Type.Record(Type.String(), TransactionView)),
  },
  { $id: 'Trace' },
)

export type TraceView = Static<typeof TraceView>

export const TracesView = Type.Object(
  { traces: Type.Array(TraceView), address_book: AddressBookView, metadata: MetadataView },
  { $id: 'TracesResponse' },
)

export const EventsView = Type.Object(
  { events: Type.Array(TraceView), address_book: AddressBookView, metadata: MetadataView },
  { $id: 'EventsResponse' },
)

export const TOO_LARGE = 'trace is too large'
const MISSING_NODE = 'missing node in trace found'

type MessageHash = { readonly hash: Uint8Array }

type NodeSource = MessageHash & {
  readonly inMessage: MessageHash | undefined
  readonly outMessages: readonly MessageHash[]
}

/**
 * The tree of a trace, from its transactions in order: each is a child of the transaction that sent its message. The first one without a
 * parent is the root; further ones set a warning.
 */
export const toTraceTree = (
  transactions: readonly NodeSource[],
): { readonly root: TraceNode | undefined; readonly warning: string | undefined } => {
  const senders = new Map<string, TraceNode>()
  let root: TraceNode | undefined
  let warning: string | undefined
  for (const { hash, inMessage, outMessages } of transactions) {
    const message = inMessage === undefined ? undefined : hashText(inMessage.hash)
    const node: TraceNode = { tx_hash: hashText(hash), in_msg_hash: message, children: [] }
    const parent = message === undefined ? undefined : senders.get(message)
    if (parent !== undefined) parent.children.push(node)
    else if (root === undefined) root = node
    else warning = MISSING_NODE
    for (const sent of outMessages) senders.set(hashText(sent.hash), node)
  }
  return { root, warning }
}

/** Written here: the engine takes longer for a tree of objects. Nothing in it needs escapes, and it may be as deep as it is long. */
const treeJson = (root: TraceNode): string => {
  let json = ''
  const waiting: (TraceNode | string)[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      json += next
      continue
    }
    const { tx_hash, in_msg_hash, children } = next
    json += `{"tx_hash":"${tx_hash}",${in_msg_hash === undefined ? '' : `"in_msg_hash":"${in_msg_hash}",`}"children":[`
    waiting.push(']}')
    for (let k = children.length - 1; k >= 0; k--) {
      waiting.push(children[k]!)
      if (k > 0) waiting.push(',')
    }
  }
  return json
}

type TraceParts = Pick<TraceView, 'warning' | 'trace' | 'transactions_order' | 'transactions'>

/** The parts of a trace that is shown whole. `texts` are the JSON of its transactions. */
export const toTraceParts = (transactions: readonly NodeSource[], texts: readonly Json[]): TraceParts => {
  const { root, warning } = toTraceTree(transactions)
  const hashes = transactions.map(({ hash }) => hashText(hash))
  return {
    warning,
    trace: root && asJson<TraceNode>(treeJson(root)),
    transactions_order: asJson<string[]>(hashes.length === 0 ? '[]' : `["${hashes.join('","')}"]`),
    transactions: texts.length === 0 ? undefined : recordAsJson(hashes.map((hash, k) => [hash, texts[k]!])),
  } as TraceParts
}
