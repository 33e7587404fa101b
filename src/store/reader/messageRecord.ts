import { sql } from 'kysely'
import { decodeMessageBits, type ExtraAmounts, STORED_MESSAGE_KIND } from '../schema/codes.ts'
import type { Tables } from '../schema/tables.ts'
import type { LtWindow, TimeWindow } from './page.ts'
import type { Condition } from './sql.ts'
import {
  keyText,
  type MessageKind,
  type MessageRecord,
  type StoredContent,
  type TransactionRow,
} from './TransactionRecord.ts'
import { hasTime, isWithinLt, isWithinTime } from './transactionFilter.ts'

/** A message row from either of the tables that store messages. */
export type MessageRow = {
  readonly created_lt: bigint | null
  readonly value: bigint | null
  readonly fwd_fee: bigint | null
  readonly ihr_fee: bigint | null
  readonly import_fee: bigint | null
  readonly created_at: number | null
  readonly mc_seqno: number
  readonly opcode: number | null
  readonly bits: number
  readonly source: Uint8Array | null
  readonly destination: Uint8Array | null
  readonly hash: Uint8Array
  readonly hash_norm: Uint8Array | null
  readonly body_hash: Uint8Array | null
  readonly init_hash: Uint8Array | null
  readonly value_extra: Tables['transactions']['in_value_extra']
  readonly extra_flags: bigint | null
  readonly large: Tables['transactions']['large']
  /** The transaction that received it. */
  readonly received_by: Uint8Array | null
}

const receivedParts = [
  't.in_created_lt as created_lt',
  't.in_value as value',
  't.in_fwd_fee as fwd_fee',
  't.in_ihr_fee as ihr_fee',
  't.in_import_fee as import_fee',
  't.in_created_at as created_at',
  't.mc_seqno as mc_seqno',
  't.in_opcode as opcode',
  't.in_bits as bits',
  't.in_source as source',
  't.account as destination',
  't.in_hash as hash',
  't.in_hash_norm as hash_norm',
  't.in_body_hash as body_hash',
  't.in_init_hash as init_hash',
  't.in_value_extra as value_extra',
  't.in_extra_flags as extra_flags',
  't.large as large',
  't.hash as received_by',
] as const

/** The message columns of `transactions as t`. */
export const receivedColumns = receivedParts.join(', ')

/** The same columns by their table names. */
export const receivedNames = receivedParts.map((part) => part.split(' as ')[0]!)

/** The message columns of `unreceived_messages as u`. */
export const unreceivedColumns =
  'u.created_lt, u.value, u.fwd_fee, u.ihr_fee, null::bigint as import_fee, u.created_at, u.mc_seqno, u.opcode, u.bits, ' +
  'u.account as source, u.destination, u.hash, null::bytea as hash_norm, u.body_hash, u.init_hash, u.value_extra, ' +
  'u.extra_flags, u.large, null::bytea as received_by'

export const receivedSelection = sql.raw(receivedColumns)
export const unreceivedSelection = sql.raw(unreceivedColumns)

/** A transaction that sent messages: their logical times follow its own. */
export type Sender = Pick<TransactionRow, 'account' | 'lt' | 'out_count' | 'mc_seqno' | 'trace_id'>

/** A message, and the transaction of its source that sent it. */
export type SentRow = MessageRow & { readonly sender_lt: bigint }

/** The received message of a transaction. */
export const receivedRowOf = (row: TransactionRow): MessageRow | undefined =>
  row.in_hash === null
    ? undefined
    : {
        created_lt: row.in_created_lt,
        value: row.in_value,
        fwd_fee: row.in_fwd_fee,
        ihr_fee: row.in_ihr_fee,
        import_fee: row.in_import_fee,
        created_at: row.in_created_at,
        mc_seqno: row.mc_seqno,
        opcode: row.in_opcode,
        bits: row.in_bits,
        source: row.in_source,
        destination: row.account,
        hash: row.in_hash,
        hash_norm: row.in_hash_norm,
        body_hash: row.in_body_hash,
        init_hash: row.in_init_hash,
        value_extra: row.in_value_extra,
        extra_flags: row.in_extra_flags,
        large: row.large,
        received_by: row.hash,
      }

const KINDS: ReadonlyMap<number, MessageKind> = new Map([
  [STORED_MESSAGE_KIND.internal, 'internal'],
  [STORED_MESSAGE_KIND.externalIn, 'externalIn'],
  [STORED_MESSAGE_KIND.externalOut, 'externalOut'],
  [STORED_MESSAGE_KIND.system, 'system'],
])

/** Packed cells by the {@link keyText} of their hashes. */
export type Contents = ReadonlyMap<string, Uint8Array>

export const toMessageRecord = (row: MessageRow, contents: Contents, isRepeated = false): MessageRecord => {
  const { kind: code, bounce, bounced, ihrDisabled, hasExtraFlags } = decodeMessageBits(row.bits)
  const kind = KINDS.get(code) ?? 'internal'
  const isInternal = kind === 'internal' || kind === 'system'
  const content = (hash: Uint8Array | null): StoredContent | undefined =>
    hash === null ? undefined : { hash, packed: contents.get(keyText(hash)) }
  return {
    kind,
    hash: row.hash,
    normalHash: row.hash_norm ?? undefined,
    source: sourceOf(row),
    destination: destinationOf(row),
    value: isInternal ? amountOf(row, 'value') : undefined,
    valueExtra: (row.value_extra ?? undefined) as ExtraAmounts | undefined,
    fwdFee: isInternal ? amountOf(row, 'fwd_fee') : undefined,
    ihrFee: isInternal ? amountOf(row, 'ihr_fee') : undefined,
    extraFlags: isInternal && hasExtraFlags ? (row.extra_flags ?? 0n) : undefined,
    importFee: row.import_fee ?? undefined,
    createdLt: row.created_lt ?? undefined,
    createdAt: row.created_at === null ? undefined : row.created_at >>> 0,
    opcode: row.opcode ?? undefined,
    bounce: isInternal ? bounce : undefined,
    bounced: isInternal ? bounced : undefined,
    ihrDisabled: isInternal ? ihrDisabled : undefined,
    body: content(row.body_hash),
    init: content(row.init_hash),
    receivedBy: row.received_by ?? undefined,
    isRepeated,
  }
}

/** Where a message comes from and goes to: as in its record, without the rest. */
export const sourceOf = ({ bits, source }: MessageRow): Uint8Array | undefined =>
  decodeMessageBits(bits).kind === STORED_MESSAGE_KIND.externalIn ? undefined : (source ?? undefined)

export const destinationOf = ({ bits, destination }: MessageRow): Uint8Array | undefined =>
  decodeMessageBits(bits).kind === STORED_MESSAGE_KIND.externalOut ? undefined : (destination ?? undefined)

/** An amount from its column or, if too large for it, from `large_amounts`; a zero fee is in neither. */
const amountOf = (row: MessageRow, name: 'value' | 'fwd_fee' | 'ihr_fee'): bigint => {
  const large = (row.large ?? {}) as Record<string, string>
  return row[name] ?? BigInt(large[name] ?? large[`in_${name}`] ?? 0)
}

/** Filter of messages; conditions are combined with AND. */
export type MessageFilter = {
  /** Plain or normalized. */
  readonly hashes?: readonly Uint8Array[] | undefined
  /** `empty` for the empty cell. */
  readonly bodyHash?: Uint8Array | 'empty' | undefined
  /** `none` for external-in messages. */
  readonly source?: Uint8Array | 'none' | undefined
  /** `none` for external-out messages. */
  readonly destination?: Uint8Array | 'none' | undefined
  readonly opcode?: number | undefined
  readonly time: TimeWindow
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  /** Received or sent messages. */
  readonly side?: 'in' | 'out' | undefined
  readonly excludeExternals: boolean
  readonly onlyExternals: boolean
  readonly direction: 'asc' | 'desc'
}

/** Creation times. External-in messages have none. */
export type Bounds = { readonly lt: LtWindow; readonly time: TimeWindow }

const hasWindow = ({ time, startLt, endLt }: MessageFilter): boolean =>
  hasTime(time) || startLt !== undefined || endLt !== undefined

/** The tables that may contain matches: received, external-in and unreceived messages. */
export const tablesOf = (filter: MessageFilter): { received: boolean; external: boolean; unreceived: boolean } => {
  const { source, destination, side, excludeExternals, onlyExternals } = filter
  return {
    received: !onlyExternals && source !== 'none' && destination !== 'none',
    external:
      !excludeExternals &&
      side !== 'out' &&
      (source === undefined || source === 'none') &&
      destination !== 'none' &&
      !hasWindow(filter),
    unreceived: !onlyExternals && side !== 'in' && source !== 'none',
  }
}

/** Column names in `transactions as t`, in `unreceived_messages as u`, and in a list of messages `m`. */
const names = {
  t: {
    body: 't.in_body_hash',
    source: 't.in_source',
    destination: 't.account',
    opcode: 't.in_opcode',
    bits: 't.in_bits',
  },
  u: { body: 'u.body_hash', source: 'u.account', destination: 'u.destination', opcode: 'u.opcode', bits: 'u.bits' },
  m: { body: 'm.body_hash', source: 'm.source', destination: 'm.destination', opcode: 'm.opcode', bits: 'm.bits' },
} as const

/** Conditions of a filter, apart from hashes and windows. */
export const messageConditions = (filter: MessageFilter, of: keyof typeof names) => {
  const { bodyHash, source, destination, opcode, side } = filter
  const name = names[of]
  const equals = (column: string, value: Uint8Array | number): Condition =>
    sql<boolean>`${sql.ref(column)} = ${sql.val(value)}`
  const isKind = (kind: number): Condition => sql<boolean>`${sql.ref(name.bits)} & 7 = ${sql.lit(kind)}`
  const kinds: Condition[] = [
    // External-out messages have no other bits, and a plain comparison lets the planner estimate their number.
    ...(destination === 'none' ? [equals(name.bits, STORED_MESSAGE_KIND.externalOut)] : []),
    ...(side === 'out' && of === 't' ? [isKind(STORED_MESSAGE_KIND.internal)] : []),
  ]
  const body: Condition[] =
    bodyHash === undefined
      ? []
      : [bodyHash === 'empty' ? sql<boolean>`${sql.ref(name.body)} is null` : equals(name.body, bodyHash)]
  return {
    body,
    source: source === undefined || source === 'none' ? [] : [equals(name.source, source)],
    destination: destination === undefined || destination === 'none' ? [] : [equals(name.destination, destination)],
    opcode: opcode === undefined ? [] : [equals(name.opcode, opcode)],
    kinds,
  }
}

export const isReceivedWithin = ({ lt, time }: Bounds): Condition[] => [
  sql<boolean>`t.in_created_lt is not null`,
  ...isWithinLt('t.in_created_lt', lt),
  ...isWithinTime('t.in_created_at', time),
]

export const isUnreceivedWithin = ({ lt, time }: Bounds): Condition[] => [
  ...isWithinLt('u.created_lt', lt),
  ...isWithinTime('u.created_at', time),
]
