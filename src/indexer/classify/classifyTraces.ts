import { type Classified, classifyPlainly, classifyTrace, type OnFault } from '../../actions/classifyTrace.ts'
import type { Action } from '../../actions/rows/Action.ts'
import { AccountFacts, type KnownAccount } from '../../actions/trace/AccountFacts.ts'
import type { TraceInput, TraceMessage, TraceTransaction } from '../../actions/trace/TraceInput.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import { unpackDescription } from '../../codec/stored/packDescription.ts'
import { readTransactionDescr, type TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import { addressKeyOf, formatUpperRawAddress, parseAddress, parseAddressKey } from '../../primitives/Address.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Reader } from '../../store/connect/Database.ts'
import type { ActionRecord } from '../../store/reader/actions.ts'
import { type ContractFacts, findContractFacts } from '../../store/reader/contractFacts.ts'
import type { MessageRecord, StoredContent, TransactionRecord } from '../../store/reader/TransactionRecord.ts'
import type { TraceRecord } from '../../store/reader/traces.ts'
import type { Json } from '../../store/schema/columns.ts'

const NOMINATOR_POOL_CODE = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf'

/** The address of a key in the notation of actions; `undefined` if it is not an account key. */
const addressOfKey = (key: Uint8Array | undefined): string | undefined => {
  const address = key === undefined ? 'none' : parseAddressKey(key)
  return typeof address === 'string' ? undefined : formatUpperRawAddress(address)
}

/** Indexed contract data in the form that patterns use. */
const toKnownAccount = (facts: ContractFacts): KnownAccount => {
  const { jettonWallet, nftItem, sale, dedustPool, order, codeHash, data } = facts
  return {
    jettonWallet: jettonWallet && {
      owner: addressOfKey(jettonWallet.owner) ?? '',
      jetton: addressOfKey(jettonWallet.jetton) ?? '',
    },
    nftItem: nftItem && {
      index: nftItem.index,
      collection: addressOfKey(nftItem.collection),
      owner: addressOfKey(nftItem.owner),
      uri: textIn(nftItem.content, 'uri'),
      codeHash: toBase64(nftItem.codeHash),
    },
    ...(sale?.kind === 'getgems_sale' && { sale: { ...sellerOf(sale), price: amountIn(sale.details, 'full_price') } }),
    ...(sale?.kind === 'getgems_auction' && {
      auction: { ...sellerOf(sale), lastBid: amountIn(sale.details, 'last_bid') },
    }),
    dedustPool: dedustPool && { assets: [addressOfKey(dedustPool.assets[0]), addressOfKey(dedustPool.assets[1])] },
    isNominatorPool: codeHash !== undefined && toHex(codeHash) === NOMINATOR_POOL_CODE,
    multisigOrder: order && { signers: order.signers.map(addressOfKey).filter((signer) => signer !== undefined) },
    get data() {
      return data === undefined ? undefined : unpackCell(data)
    },
  }
}

const sellerOf = ({ nft, owner, marketplace, codeHash }: NonNullable<ContractFacts['sale']>) => ({
  nft: addressOfKey(nft),
  owner: addressOfKey(owner),
  marketplace: addressOfKey(marketplace),
  codeHash: toBase64(codeHash),
})

const memberIn = (value: Json, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined

const textIn = (value: Json, name: string): string | undefined => {
  const member = memberIn(value, name)
  return typeof member === 'string' ? member : undefined
}

const amountIn = (value: Json, name: string): bigint | undefined => {
  const text = textIn(value, name)
  return text !== undefined && /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}

/** Limits chains of accounts that refer to each other. */
const MAX_ROUNDS = 6

const unknown: KnownAccount = {}

/** Finds facts about accounts, by their addresses as actions write them; the result may omit unknown ones. */
export type LearnAccounts = (addresses: ReadonlySet<string>) => Promise<ReadonlyMap<string, KnownAccount>>

/** Classifies traces with the facts of the index. */
export const classifyTraces = (
  reader: Reader,
  traces: readonly TraceInput[],
  onFault: OnFault,
): Promise<Classified[]> => classifyWith((addresses) => findIndexed(reader, addresses), traces, onFault)

/** Classifies traces. Accounts that patterns need are looked up in bulk, in rounds, until none is missing. */
export const classifyWith = async (
  findFacts: LearnAccounts,
  traces: readonly TraceInput[],
  onFault: OnFault,
): Promise<Classified[]> => {
  const known = new Map<string, KnownAccount>()
  const learn = async (addresses: ReadonlySet<string>): Promise<void> => {
    const found = await findFacts(addresses)
    for (const address of addresses) known.set(address, found.get(address) ?? unknown)
  }
  await learn(new Set(traces.flatMap(({ transactions }) => transactions.map(({ account }) => account))))
  const results: Classified[] = []
  let waiting = traces.map((trace, index) => ({ trace, index }))
  for (let round = 1; waiting.length > 0; round++) {
    const missed = new Set<string>()
    waiting = waiting.filter(({ trace, index }) => {
      const facts = new AccountFacts(known)
      results[index] = classifySafely(trace, facts, onFault)
      for (const address of facts.missed) missed.add(address)
      return facts.missed.size > 0 && round < MAX_ROUNDS
    })
    await learn(missed)
  }
  return results
}

/** Falls back to basic actions if a pattern fails on a trace. */
const classifySafely = (trace: TraceInput, facts: AccountFacts, onFault: OnFault): Classified => {
  try {
    return classifyTrace(trace, facts, onFault)
  } catch (error) {
    onFault(undefined, error)
    return { actions: classifyPlainly(trace), hasFailed: true }
  }
}

/** The facts of the index. */
export const findIndexed = async (
  reader: Reader,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, KnownAccount>> => {
  const keys = new Map<string, Uint8Array>()
  for (const address of addresses) {
    const key = findKey(address)
    if (key !== undefined) keys.set(address, key)
  }
  const found = await findContractFacts(reader, [...keys.values()])
  const known = new Map<string, KnownAccount>()
  for (const [address, key] of keys) {
    const facts = found.get(toHex(key))
    if (facts !== undefined) known.set(address, toKnownAccount(facts))
  }
  return known
}

const findKey = (address: string): Uint8Array | undefined => {
  try {
    return addressKeyOf(parseAddress(address))
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return undefined
  }
}

/** Some patterns name accounts that are not addresses. */
const findAccountKey = (address: string): Uint8Array | undefined =>
  /^-?[0-9]+:[0-9A-F]{64}$/.test(address) ? addressKeyOf(parseAddress(address)) : undefined

/** An action as stored. */
export const toActionRecord = (action: Action, trace: TraceRecord): ActionRecord => ({
  traceId: trace.traceId,
  actionId: fromBase64(action.actionId),
  startLt: action.startLt,
  endLt: action.endLt,
  startUtime: action.startUtime,
  endUtime: action.endUtime,
  traceEndLt: trace.endLt,
  traceEndUtime: trace.endUtime,
  traceEndSeqno: trace.endSeqno,
  transactions: action.transactions.map(fromBase64),
  accounts: action.accounts.map(findAccountKey).filter((key) => key !== undefined),
  success: action.success,
  type: action.type,
  shownType: action.shownType,
  ancestorTypes: action.ancestorTypes,
  details: action.details,
  rawAction: action.rawAction,
})

/** A stored trace in the form that patterns use. Its transactions are by logical time. */
export const toTraceInput = (trace: TraceRecord, records: readonly TransactionRecord[]): TraceInput => {
  const root = records.find(({ hash }) => bytesEqual(hash, trace.traceId))?.inMessage
  return {
    traceId: toBase64(trace.traceId),
    externalHash: root && toBase64(root.hash),
    externalHashNorm: root?.normalHash && toBase64(root.normalHash),
    endLt: trace.endLt,
    endUtime: trace.endUtime,
    endSeqno: trace.endSeqno,
    transactions: records.map(toTraceTransaction),
  }
}

const toTraceTransaction = (record: TransactionRecord): TraceTransaction => ({
  hash: toBase64(record.hash),
  account: addressOfKey(record.account) ?? '',
  lt: record.lt,
  now: record.now,
  origStatus: record.origStatus,
  endStatus: record.endStatus,
  ...outcomeOf(readWhole(unpackDescription(record.description), readTransactionDescr, 'A TransactionDescr')),
  inMessage: record.inMessage && toTraceMessage(record.inMessage),
  outMessages: record.outMessages.map(toTraceMessage),
})

type Outcome = Pick<TraceTransaction, 'isTickTock' | 'aborted' | 'exitCode' | 'skipReason'>

const outcomeOf = (description: TransactionDescr): Outcome => {
  const compute = 'computePhase' in description ? description.computePhase : undefined
  return {
    isTickTock: description.kind === 'tick_tock',
    aborted: 'aborted' in description && description.aborted,
    exitCode: compute?.kind === 'vm' ? compute.exitCode : undefined,
    skipReason: compute?.kind === 'skipped' ? compute.reason : undefined,
  }
}

const toTraceMessage = (message: MessageRecord): TraceMessage => ({
  hash: toBase64(message.hash),
  source: addressOfKey(message.source),
  destination: addressOfKey(message.destination),
  value: message.value,
  extraCurrencies: typeof message.valueExtra === 'object' ? message.valueExtra : {},
  createdLt: message.createdLt,
  createdAt: message.createdAt,
  opcode: message.opcode === undefined ? undefined : message.opcode >>> 0,
  bounce: message.bounce === true,
  body: cellOf(message.body) ?? emptyCell,
  initState: cellOf(message.init),
})

const cellOf = (content: StoredContent | undefined) =>
  content?.packed === undefined ? undefined : unpackCell(content.packed)
