import { sql } from 'kysely'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import { type Condition, hasTime, isWithinLt, isWithinTime } from './TransactionsQuestion.ts'
import type { LtWindow, TimeWindow } from './timeWindow.ts'

/** Which messages are wanted; what is given is joined by and. */
export type MessagesQuestion = {
  /** Plain or normal. */
  readonly hashes?: readonly Uint8Array[] | undefined
  /** `empty` for that of the empty cell. */
  readonly bodyHash?: Uint8Array | 'empty' | undefined
  /** `none` where they come from outside. */
  readonly source?: Uint8Array | 'none' | undefined
  /** `none` where they leave the chain. */
  readonly destination?: Uint8Array | 'none' | undefined
  readonly opcode?: number | undefined
  readonly time: TimeWindow
  readonly startLt?: bigint | undefined
  readonly endLt?: bigint | undefined
  /** Those that a transaction received, or sent. */
  readonly side?: 'in' | 'out' | undefined
  readonly excludeExternals: boolean
  readonly onlyExternals: boolean
  readonly direction: 'asc' | 'desc'
}

/** When they were made. Messages from outside have no such times. */
export type Bounds = { readonly lt: LtWindow; readonly time: TimeWindow }

const hasWindow = ({ time, startLt, endLt }: MessagesQuestion): boolean =>
  hasTime(time) || startLt !== undefined || endLt !== undefined

/** Which of the places that messages are kept in may have some: received ones, those from outside, those not received. */
export const placesOf = (question: MessagesQuestion): { received: boolean; external: boolean; unreceived: boolean } => {
  const { source, destination, side, excludeExternals, onlyExternals } = question
  return {
    received: !onlyExternals && source !== 'none' && destination !== 'none',
    external:
      !excludeExternals &&
      side !== 'out' &&
      (source === undefined || source === 'none') &&
      destination !== 'none' &&
      !hasWindow(question),
    unreceived: !onlyExternals && side !== 'in' && source !== 'none',
  }
}

/** As the columns are called in `transactions as t`, in `unreceived_messages as u`, and in a list of messages `m`. */
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

/** What is asked of messages, apart from hashes and windows. */
export const messageConditions = (question: MessagesQuestion, of: keyof typeof names) => {
  const { bodyHash, source, destination, opcode, side } = question
  const name = names[of]
  const equals = (column: string, value: Uint8Array | number): Condition =>
    sql<boolean>`${sql.ref(column)} = ${sql.val(value)}`
  const isKind = (kind: number): Condition => sql<boolean>`${sql.ref(name.bits)} & 7 = ${sql.lit(kind)}`
  const kinds: Condition[] = [
    // Those that leave the chain have no other bits, and a plain comparison tells the planner how many there are.
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
