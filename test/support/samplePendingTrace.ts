import type { PendingAction, PendingTrace, PendingTransaction } from '../../src/store/reader/pending.ts'
import type { MessageRecord, StateSnapshot } from '../../src/store/reader/TransactionRecord.ts'

type Sample = {
  /** The byte that a hash or key consists of. */
  readonly normal: number
  readonly plain: number
  readonly accounts: readonly number[]
  readonly traceId?: number | undefined
}

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const nobody: StateSnapshot = { hash: undefined, known: undefined }

/** A trace with a transaction for each of the accounts. */
export const samplePendingTrace = ({ normal, plain, accounts, traceId }: Sample): PendingTrace => {
  const id = traceId === undefined ? undefined : hash(traceId)
  return {
    externalHash: hash(plain),
    externalHashNorm: hash(normal),
    traceId: id,
    transactions: accounts.map((account, k) => sampleTransaction(account, k, id)),
    actions: accounts.slice(0, 1).map((account) => sampleAction(account, id)),
    isIncomplete: false,
  }
}

const sampleTransaction = (account: number, k: number, traceId: Uint8Array | undefined): PendingTransaction => ({
  account: key(account),
  hash: hash(100 + k),
  lt: BigInt(k) + (1n << 60n),
  now: 1_700_000_000,
  mcSeqno: 0,
  traceId,
  traceExternalHash: hash(1),
  prevHash: undefined,
  prevLt: 0n,
  origStatus: 'nonexist',
  endStatus: 'uninit',
  totalFees: 5n,
  totalFeesExtra: { 7: '1' },
  description: new Uint8Array(3),
  block: { workchain: 0, shard: 1n << 63n, seqno: 0 },
  inMessage: sampleMessage,
  outMessages: [],
  stateBefore: nobody,
  stateAfter: nobody,
  isEmulated: traceId === undefined,
  finality: traceId === undefined ? 'pending' : 'finalized',
})

const sampleMessage: MessageRecord = {
  kind: 'externalIn',
  hash: hash(1),
  normalHash: undefined,
  source: undefined,
  destination: key(1),
  value: undefined,
  valueExtra: undefined,
  fwdFee: undefined,
  ihrFee: undefined,
  extraFlags: undefined,
  importFee: 0n,
  createdLt: undefined,
  createdAt: undefined,
  opcode: -5,
  bounce: undefined,
  bounced: undefined,
  ihrDisabled: undefined,
  body: { hash: hash(2), packed: Uint8Array.of(1, 2, 3) },
  init: undefined,
  receivedBy: undefined,
}

const sampleAction = (account: number, traceId: Uint8Array | undefined): PendingAction => ({
  traceId,
  actionId: hash(50),
  startLt: 1n,
  endLt: 2n,
  startUtime: 1,
  endUtime: 2,
  traceEndLt: 2n,
  traceEndUtime: 2,
  traceEndSeqno: 0,
  transactions: [hash(100)],
  accounts: [key(account)],
  success: true,
  type: 'ton_transfer',
  shownType: undefined,
  ancestorTypes: [],
  details: { value: '5', comment: null },
  rawAction: undefined,
  finality: 'pending',
})
