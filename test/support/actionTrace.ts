import { createHash } from 'node:crypto'
import { classifyTrace } from '../../src/actions/classifyTrace.ts'
import type { Action } from '../../src/actions/rows/Action.ts'
import { AccountFacts, type KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import {
  opcodeOf,
  type TraceInput,
  type TraceMessage,
  type TraceTransaction,
} from '../../src/actions/trace/TraceInput.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { ADDR_NONE, writeMsgAddress } from '../../src/codec/tlb/MsgAddress.ts'
import { writeStateInit } from '../../src/codec/tlb/StateInit.ts'
import { parseAddress } from '../../src/primitives/Address.ts'

/**
 * A message and the transaction that it causes, with what that sends in turn. Accounts go by names; the first message of a trace
 * comes from outside unless it says from whom.
 */
export type Step = {
  /** `undefined` for a message to the outside. */
  readonly to?: string
  readonly from?: string
  /** In nanotons; of messages between contracts 1 ton, unless told otherwise. */
  readonly value?: bigint
  readonly extraCurrencies?: Readonly<Record<string, string>>
  readonly body?: Cell
  readonly initState?: Cell
  readonly bounce?: boolean
  readonly aborted?: boolean
  readonly exitCode?: number
  readonly skipReason?: TraceTransaction['skipReason']
  /** The account becomes a contract. */
  readonly deploys?: boolean
  readonly sends?: readonly Step[]
}

/** An action with names in the place of addresses; transactions are `name.1` for the first of an account, and so on. */
export type NamedRow = {
  readonly type: string
  readonly success: boolean
  /** In order of the alphabet, as transactions are. */
  readonly accounts: readonly string[]
  readonly transactions: readonly string[]
  readonly ancestors: readonly string[]
  readonly details: unknown
}

const START_UTIME = 1_700_000_000
const TON = 1_000_000_000n
const LT_STEP = 1000n
const names = new Map<string, string>()

/** The address of a name: raw, in upper case. What is an address already stays as it is. */
export const addressOf = (name: string): string => {
  if (name.includes(':')) return name
  const address = `0:${createHash('sha256').update(name).digest('hex').toUpperCase()}`
  names.set(address, name)
  return address
}

/** Writes the address of a name, or of nobody. */
export const writeNamed = (w: CellWriter, name: string | undefined): CellWriter => {
  writeMsgAddress(
    w,
    name === undefined ? ADDR_NONE : { kind: 'std', ...parseAddress(addressOf(name)), anycast: undefined },
  )
  return w
}

/** A cell, by what is written into it. */
export const cell = (write: (w: CellWriter) => void): Cell => {
  const w = new CellWriter()
  write(w)
  return w.toCell()
}

/** A body with an opcode. */
export const body = (opcode: number, write: (w: CellWriter) => void = () => undefined): Cell =>
  cell((w) => write(w.writeUint(opcode, 32)))

/** A body that is a text. */
export const text = (comment: string): Cell => body(0, (w) => w.writeBytes(new TextEncoder().encode(comment)))

/** The state that a message brings along. */
export const stateInit = (data: Cell, code: Cell = emptyCell): Cell =>
  writeWhole(writeStateInit, { fixedPrefixLength: undefined, special: undefined, code, data, library: undefined })

type Open = { readonly step: Step; readonly message: TraceMessage }

/** A whole trace: transactions happen in the order in which their messages were sent. */
export const buildTrace = (root: Step): TraceInput => {
  const transactions: TraceTransaction[] = []
  const counts = new Map<string, number>()
  const queue: Open[] = [{ step: root, message: toMessage(root, root.from, 0n, 'message 0') }]
  let sent = 1
  for (let at = 0; at < queue.length; at++) {
    const { step, message } = queue[at]!
    const to = step.to ?? ''
    const lt = BigInt(at + 1) * LT_STEP
    const count = (counts.get(to) ?? 0) + 1
    counts.set(to, count)
    const children = (step.sends ?? []).map((child, index) => ({
      step: child,
      message: toMessage(child, child.from ?? to, lt + BigInt(index + 1), `message ${sent++}`),
    }))
    transactions.push(toTransaction(step, message, lt, `${to}.${count}`, children))
    queue.push(...children.filter((child) => child.step.to !== undefined))
  }
  const last = transactions.at(-1)!
  return {
    traceId: transactions[0]!.hash,
    externalHash: undefined,
    externalHashNorm: undefined,
    endLt: last.lt,
    endUtime: last.now,
    endSeqno: 1,
    transactions,
  }
}

const toMessage = (step: Step, from: string | undefined, createdLt: bigint, hash: string): TraceMessage => {
  const { to, extraCurrencies = {}, body: given = emptyCell, initState, bounce = true } = step
  const isInternal = from !== undefined && to !== undefined
  return {
    hash,
    source: from === undefined ? undefined : addressOf(from),
    destination: to === undefined ? undefined : addressOf(to),
    value: isInternal ? (step.value ?? TON) : undefined,
    extraCurrencies,
    createdLt: from === undefined ? undefined : createdLt,
    createdAt: from === undefined ? undefined : utimeAt(createdLt),
    opcode: opcodeOf(given),
    bounce: isInternal && bounce,
    body: given,
    initState,
  }
}

const toTransaction = (
  { to, aborted = false, deploys = false, exitCode = 0, skipReason }: Step,
  inMessage: TraceMessage,
  lt: bigint,
  hash: string,
  children: readonly Open[],
): TraceTransaction => ({
  hash,
  account: addressOf(to ?? ''),
  lt,
  now: utimeAt(lt),
  origStatus: deploys ? 'uninit' : 'active',
  endStatus: 'active',
  isTickTock: false,
  aborted,
  exitCode: skipReason === undefined ? exitCode : undefined,
  skipReason,
  inMessage,
  outMessages: children.map(({ message }) => message),
})

const utimeAt = (lt: bigint): number => START_UTIME + Number(lt / LT_STEP)

/** What happened in a trace, given what is known of accounts by their names. */
export const classifySteps = (root: Step, known: Readonly<Record<string, KnownAccount>> = {}): NamedRow[] => {
  const accounts = new Map(Object.entries(known).map(([name, facts]) => [addressOf(name), facts]))
  const faults: unknown[] = []
  const { actions, hasFailed } = classifyTrace(buildTrace(root), new AccountFacts(accounts), (_matcher, error) =>
    faults.push(error),
  )
  if (hasFailed) throw new Error(`The trace could not be classified: ${String(faults.at(-1))}`)
  return actions.map(toNamedRow)
}

/** The one action of a type. */
export const classifyOne = (type: string, root: Step, known: Readonly<Record<string, KnownAccount>> = {}): NamedRow => {
  const rows = classifySteps(root, known)
  const found = rows.filter((row) => row.type === type)
  if (found.length !== 1) throw new Error(`One ${type} was expected, got ${rows.map((row) => row.type).join(', ')}.`)
  return found[0]!
}

const toNamedRow = (action: Action): NamedRow => ({
  type: action.type,
  success: action.success,
  accounts: action.accounts.map((address) => names.get(address) ?? address).sort(),
  transactions: [...action.transactions].sort(),
  ancestors: action.ancestorTypes,
  details: withNames(action.details),
})

const withNames = (value: unknown): unknown => {
  if (typeof value === 'string') return names.get(value) ?? value
  if (Array.isArray(value)) return value.map(withNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withNames(each)]))
}
