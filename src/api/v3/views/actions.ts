import { type Static, Type } from 'typebox'
import { addressKeyOf, parseAddress } from '../../../primitives/Address.ts'
import type { ActionRecord } from '../../../store/reader/actions.ts'
import type { Json } from '../../../store/schema/columns.ts'
import type { JsonValue } from '../../core/json/parseJson.ts'
import { AddressBookView, MetadataView } from './addressBook.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'
import { TransactionView } from './transactions.ts'

const AnyObject = Type.Object({}, { additionalProperties: true })

export const ActionView = Type.Object(
  {
    trace_id: Type.Union([HashText, Type.Null()]),
    action_id: HashText,
    start_lt: DecimalText,
    end_lt: DecimalText,
    start_utime: Type.Integer(),
    end_utime: Type.Integer(),
    trace_end_lt: DecimalText,
    trace_end_utime: Type.Integer(),
    trace_mc_seqno_end: Type.Integer(),
    transactions: Type.Array(HashText),
    success: Type.Union([Type.Boolean(), Type.Null()]),
    type: Type.String({ examples: ['jetton_transfer'] }),
    details: Type.Unsafe<JsonValue>({ ...AnyObject, description: 'Details; the members depend on the type.' }),
    raw_action: Type.Optional(Type.Unsafe<JsonValue>(AnyObject)),
    trace_external_hash: Type.Optional(HashText),
    trace_external_hash_norm: Type.Optional(HashText),
    accounts: Type.Optional(Type.Array(AddressText)),
    transactions_full: Type.Optional(Type.Array(TransactionView)),
    finality: Type.Optional(TransactionView.properties.finality),
  },
  { $id: 'Action' },
)

export type ActionView = Static<typeof ActionView>

export const ActionsView = Type.Object(
  { actions: Type.Array(ActionView), address_book: AddressBookView, metadata: MetadataView },
  { $id: 'ActionsResponse' },
)

/** An indexed or pending action. */
export type ShownAction = Omit<ActionRecord, 'traceId'> & { readonly traceId: Uint8Array | undefined }

/** Context of an action. */
export type ActionSurroundings = {
  readonly finality: NonNullable<ActionView['finality']>
  /** The message that started its trace. */
  readonly externalHash: Uint8Array | undefined
  /** The normalized hash, if it differs. */
  readonly externalHashNorm: Uint8Array | undefined
  readonly withAccounts: boolean
  readonly transactionsFull: TransactionView[] | undefined
}

export const toActionView = (action: ShownAction, around: ActionSurroundings): ActionView => ({
  trace_id: action.traceId === undefined ? null : hashText(action.traceId),
  action_id: hashText(action.actionId),
  start_lt: String(action.startLt),
  end_lt: String(action.endLt),
  start_utime: action.startUtime,
  end_utime: action.endUtime,
  trace_end_lt: String(action.traceEndLt),
  trace_end_utime: action.traceEndUtime,
  trace_mc_seqno_end: action.traceEndSeqno,
  transactions: action.transactions.map(hashText),
  success: action.success ?? null,
  type: action.shownType ?? action.type,
  details: action.details as JsonValue,
  ...(action.rawAction !== undefined && { raw_action: action.rawAction as JsonValue }),
  ...(around.externalHash !== undefined && { trace_external_hash: hashText(around.externalHash) }),
  ...(around.externalHashNorm !== undefined && { trace_external_hash_norm: hashText(around.externalHashNorm) }),
  ...(around.withAccounts && { accounts: action.accounts.map(addressText) }),
  ...(around.transactionsFull !== undefined && { transactions_full: around.transactionsFull }),
  finality: around.finality,
})

const rawAddress = /^-?[0-9]{1,3}:[0-9A-F]{64}$/

/** All addresses in the details of actions, found by their format. */
export const addressesOfActions = (actions: readonly Pick<ActionRecord, 'details'>[]): Uint8Array[] => {
  const found: Uint8Array[] = []
  const look = (value: Json): void => {
    if (typeof value === 'string') {
      if (rawAddress.test(value)) found.push(addressKeyOf(parseAddress(value)))
    } else if (Array.isArray(value)) for (const item of value as readonly Json[]) look(item)
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) look(member)
  }
  for (const { details } of actions) look(details)
  return found
}
