import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { packDescription } from '../../src/codec/stored/packDescription.ts'
import { writeTransactionDescr } from '../../src/codec/tlb/TransactionDescr.ts'
import type { PendingAction, PendingTransaction } from '../../src/store/reader/pending.ts'
import type { MessageRecord, StateSnapshot } from '../../src/store/reader/TransactionRecord.ts'
import type {
  AccountTransactionsEvent,
  FactsByAccount,
  InvalidationEvent,
  JettonEvent,
  StateEvent,
  StreamTrace,
  TraceEvent,
} from '../../src/streaming/events.ts'
import { samplePendingTrace } from './samplePendingTrace.ts'

/** An address key, or a hash, of one byte repeated. */
export const accountKey = (byte: number): Uint8Array => Uint8Array.from([0, ...new Uint8Array(32).fill(byte)])
export const hashOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

const [transaction] = samplePendingTrace({ normal: 1, plain: 2, accounts: [1], traceId: 3 }).transactions
const [action] = samplePendingTrace({ normal: 1, plain: 2, accounts: [1], traceId: 3 }).actions ?? []

const stateOf = (code: number | undefined): StateSnapshot => ({
  hash: hashOf(200),
  known: {
    status: 'active',
    balance: 5n,
    extra: { 100: '7' },
    frozenHash: undefined,
    dataHash: hashOf(201),
    codeHash: code === undefined ? undefined : hashOf(code),
  },
})

type TransactionSample = {
  readonly account: number
  readonly lt: number
  readonly code?: number | undefined
  readonly message?: Partial<MessageRecord> | undefined
  readonly isTickTock?: boolean
  readonly description?: Uint8Array
  readonly finality?: PendingTransaction['finality']
}

export const makeTransaction = (sample: TransactionSample): PendingTransaction => ({
  ...transaction!,
  account: accountKey(sample.account),
  hash: hashOf(100 + sample.lt),
  lt: BigInt(sample.lt),
  inMessage: sample.isTickTock ? undefined : { ...transaction!.inMessage!, ...sample.message },
  stateAfter: sample.code === undefined ? { hash: hashOf(199), known: undefined } : stateOf(sample.code),
  ...(sample.description !== undefined && { description: sample.description }),
  isEmulated: sample.finality === 'pending',
  finality: sample.finality ?? 'finalized',
})

type ActionSample = {
  readonly accounts: readonly number[]
  readonly lt?: number
  readonly type?: string
  readonly shownType?: string
  readonly ancestorTypes?: readonly string[]
  readonly details?: PendingAction['details']
}

export const makeAction = ({ accounts, lt = 1, details, ...rest }: ActionSample): PendingAction => ({
  ...action!,
  ...rest,
  actionId: hashOf(lt),
  startLt: BigInt(lt),
  endLt: BigInt(lt),
  accounts: accounts.map(accountKey),
  finality: 'finalized',
  ...(details !== undefined && { details }),
})

const common = { finality: 'finalized', mcSeqno: 8, utime: 1_700_000_000 } as const

const idOf = (kind: string, subject: number): string => `f-8-5-${kind}-${subject.toString(16).padStart(16, '0')}`

export const makeTraceEvent = (
  kind: TraceEvent['kind'],
  trace: Partial<StreamTrace>,
  finality: TraceEvent['finality'] = 'finalized',
): TraceEvent => ({
  ...common,
  id: idOf(kind, trace.externalHashNorm?.[0] ?? 1),
  kind,
  finality,
  trace: {
    externalHash: hashOf(2),
    externalHashNorm: hashOf(1),
    traceId: hashOf(3),
    transactions: [],
    actions: [],
    isIncomplete: false,
    ...trace,
  },
})

export const makeAccountEvent = (
  account: number,
  transactions: readonly PendingTransaction[],
  facts?: FactsByAccount,
): AccountTransactionsEvent => ({
  ...common,
  id: idOf('tx', account),
  kind: 'tx',
  account: accountKey(account),
  transactions,
  facts,
})

export const makeStateEvent = (account: number, code?: number, facts?: FactsByAccount): StateEvent => ({
  ...common,
  id: idOf('st', account),
  kind: 'st',
  account: accountKey(account),
  state: stateOf(code),
  previous: { hash: undefined, known: undefined },
  lt: 5n,
  lastTransactionHash: hashOf(105),
  facts,
})

export const makeJettonEvent = (wallet: number, owner: number, jetton: number, code = 50): JettonEvent => ({
  ...common,
  id: idOf('je', wallet),
  kind: 'je',
  lt: 5n,
  wallet: {
    address: accountKey(wallet),
    balance: 16n,
    owner: accountKey(owner),
    jetton: accountKey(jetton),
    lastLt: 5n,
    codeHash: hashOf(code),
    dataHash: hashOf(51),
  },
})

export const makeInvalidation = (kind: InvalidationEvent['kind'], trace = 1): InvalidationEvent => ({
  ...common,
  id: 's-8-1234abcd-1',
  kind,
  finality: 'pending',
  externalHashNorm: hashOf(trace),
  reason: 'rejected',
  exitCode: 35,
})

/** Of a transaction whose compute phase was skipped. */
export const emptyDescription: Uint8Array = packDescription(
  writeWhole(writeTransactionDescr, {
    kind: 'ord',
    creditFirst: false,
    storagePhase: undefined,
    creditPhase: undefined,
    computePhase: { kind: 'skipped', reason: 'no_state' },
    action: undefined,
    aborted: true,
    bounce: undefined,
    destroyed: false,
  }),
)
