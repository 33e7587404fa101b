import { Type } from 'typebox'
import { DatabaseTimeoutError, DatabaseWorkerError, StoreError } from '../../store/errors.ts'
import type { Call } from '../core/Call.ts'
import { type Failure, InvalidParamsError, type ParamIssue, type Statuses } from '../core/errors.ts'
import type { Description, Dialect, Interface } from '../core/Interface.ts'
import {
  accountBalances,
  accountStates,
  accountsByCode,
  addressBook,
  metadata,
  topAccountsByBalance,
  walletStates,
} from './endpoints/accounts.ts'
import { actions } from './endpoints/actions.ts'
import { blocks, masterchainBlockShardState, masterchainBlockShards, masterchainInfo } from './endpoints/blocks.ts'
import { changes } from './endpoints/changes.ts'
import { decode } from './endpoints/decode.ts'
import { dnsRecords } from './endpoints/dns.ts'
import { runGetMethod } from './endpoints/getMethods.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './endpoints/jettons.ts'
import { messages } from './endpoints/messages.ts'
import { multisigOrders, multisigWallets } from './endpoints/multisig.ts'
import { nftCollections, nftItems, nftSales, nftTransfers } from './endpoints/nfts.ts'
import { pendingActions, pendingTraces, pendingTransactions } from './endpoints/pending.ts'
import { estimateFee, message } from './endpoints/send.ts'
import { sendAndWait } from './endpoints/sendAndWait.ts'
import { jettonStats, nftCollectionStats } from './endpoints/tokenStats.ts'
import { events, traces } from './endpoints/traces.ts'
import {
  adjacentTransactions,
  transactions,
  transactionsByMasterchainBlock,
  transactionsByMessage,
} from './endpoints/transactions.ts'
import { account, addressInformation, wallet, walletInformation } from './endpoints/v2Accounts.ts'
import { vesting } from './endpoints/vesting.ts'
import { RefusedRequestError, UnreadableItemError } from './errors.ts'
import { MAX_TIMEOUT_MS, type V3Parts } from './V3Context.ts'

/** HTTP statuses that differ from the common table. */
const v3Statuses: Statuses = {
  invalid_json: 422,
  invalid_request: 422,
  unsupported_media_type: 422,
  database_conflict: 500,
  database_full: 500,
  database_refused: 500,
  database_unavailable: 500,
}

/** The error message of a failure. */
const describeFailure = ({ error, message }: Failure): string => {
  if (error instanceof InvalidParamsError) return describeIssues(error.issues)
  if (error instanceof DatabaseTimeoutError) return describeTimeout(error)
  if (error instanceof DatabaseWorkerError) return WORKER_AWAY
  return isOfDatabase(error) ? 'The index database is unavailable. Retry later.' : message
}

const WORKER_AWAY =
  'A worker of the index database is unavailable, and this request needs its rows. Others are answered. Retry later.'

/** A caller with a short time limit can raise it. */
const describeTimeout = ({ message, cause }: DatabaseTimeoutError): string =>
  cause === undefined
    ? `${message} Narrow the filter, or raise x_timeout (at most ${MAX_TIMEOUT_MS} ms).`
    : `The database query timed out after ${MAX_TIMEOUT_MS} ms. Narrow the filter, or lower the limit.`

/** Messages of the database, which may contain addresses and file names, are not shown to callers. */
const isOfDatabase = (error: Failure['error']): boolean => error instanceof StoreError && error.cause !== undefined

/** Malformed parameters are reported first, with their count; then refused ones. */
const describeIssues = (issues: readonly ParamIssue[]): string => {
  const said = issues.find(isUnreadable)
  if (said === undefined) return describeRefusal(issues[0]!)
  const others = issues.filter(isUnreadable).length - 1
  const more = others === 0 ? '' : ` (and ${others} other error${others === 1 ? '' : 's'})`
  return `failed to decode: ${describeUnreadable(said)}${more}`
}

const isUnreadable = ({ keyword, error }: ParamIssue): boolean =>
  keyword !== 'missing' && keyword !== 'conflict' && !(error instanceof RefusedRequestError)

const describeUnreadable = ({ name, error }: ParamIssue): string => {
  const place = error instanceof UnreadableItemError ? `index ${error.index} of ` : ''
  return `schema: error converting value for ${place}"${name}"`
}

const describeRefusal = ({ name, keyword, message, error }: ParamIssue): string => {
  if (error !== undefined) return error.message
  return keyword === 'missing' ? `${name} is required` : message
}

/** The v3 interface: indexed chain data. */
export const v3 = {
  prefix: '/api/v3',
  title: 'Indexed chain data (v3)',
  description:
    'Accounts, blocks, transactions, messages, traces, actions, jettons, NFTs and DNS records from the index database. ' +
    'The response header X-Indexed-Seqno has the newest masterchain block of the index that answered; X-Indexed-From has the first one ' +
    'whose history it has, if older history was dropped. A caller that sends X-Seen-Seqno never gets an older state than it has seen, ' +
    'whichever server answers.',
  // The patch number is that of the database schema: see presentV3.
  version: '1.2.0',
  endpoints: [
    topAccountsByBalance,
    messages,
    transactionsByMessage,
    transactionsByMasterchainBlock,
    transactions,
    adjacentTransactions,
    decode,
    accountStates,
    accountBalances,
    accountsByCode,
    addressBook,
    metadata,
    walletStates,
    masterchainInfo,
    blocks,
    masterchainBlockShardState,
    masterchainBlockShards,
    changes,
    addressInformation,
    account,
    walletInformation,
    wallet,
    message,
    sendAndWait,
    estimateFee,
    runGetMethod,
    traces,
    events,
    actions,
    pendingTraces,
    pendingActions,
    pendingTransactions,
    jettonBurns,
    jettonMasters,
    jettonStats,
    jettonTransfers,
    jettonWallets,
    nftCollections,
    nftCollectionStats,
    nftItems,
    nftSales,
    nftTransfers,
    dnsRecords,
    multisigOrders,
    multisigWallets,
    vesting,
  ],
  statuses: v3Statuses,
  commonErrors: [
    'overloaded',
    'database_unavailable',
    'database_worker_unavailable',
    'database_full',
    'database_refused',
    'database_conflict',
    'database_timeout',
    'index_behind',
  ],
  // Those of v2.
  proxiedStatuses: [422, 500, 504, 533, 542],
  // A thousand addresses and a thousand hashes, percent-encoded.
  maxUrlBytes: 1 << 18,
  ignoredMembers: 'all',
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: (failure) => ({ error: describeFailure(failure) }),
  errorSchema: Type.Object(
    { error: Type.String({ description: 'Error message.', examples: ['masterchain block 99999999 not found'] }) },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V3Parts>

export type V3Presentation = {
  readonly prefix: `/${string}`
  readonly dialect: Dialect
  /** Number of migrations of the database: the patch number of the version. */
  readonly schemaNumber: number
  /** The newest block of the index when a call was answered. */
  readonly findHead: (call: Call) => IndexedHead | undefined
}

export type IndexedHead = {
  readonly seqno: number
  readonly utime: number
  /** History below this block was dropped; 0 if none was. */
  readonly retainedFrom: number
}

/** The interface at one URL prefix. Handlers write the neutral dialect; the TON dialect is applied to the JSON. */
export const presentV3 = ({ prefix, dialect, schemaNumber, findHead }: V3Presentation): Interface<V3Parts> => {
  const version = `1.2.${schemaNumber}`
  const headers = (call: Call): { readonly [name: string]: string } => {
    const head = findHead(call)
    const timing = `app;dur=${(performance.now() - call.receivedAt).toFixed(3)}`
    if (head === undefined) return { 'x-api-version': version, 'server-timing': timing }
    return {
      'x-api-version': version,
      'server-timing': timing,
      'x-indexed-seqno': String(head.seqno),
      'x-indexed-lag-ms': String(Math.max(0, Math.round(Date.now() - 1000 * head.utime))),
      ...(head.retainedFrom > 0 && { 'x-indexed-from': String(head.retainedFrom) }),
    }
  }
  const definition = { ...v3, prefix, version, headers }
  return dialect === 'chain' ? definition : { ...definition, ...tonDialect }
}

/** Opcodes of messages are text in the TON dialect. */
const describeDialect = (document: Description): Description => {
  const components = document['components'] as { readonly schemas: { readonly [name: string]: MessageSchema } }
  const { Message, ...schemas } = components.schemas
  if (Message === undefined) throw new Error('The OpenAPI document has no schema Message.')
  const opcode = { anyOf: [{ type: 'string', pattern: '^0x[0-9a-f]{8}$', description: OPCODE }, { type: 'null' }] }
  const message = { ...Message, properties: { ...Message.properties, opcode } }
  return { ...document, components: { ...components, schemas: { ...schemas, Message: message } } }
}

type MessageSchema = { readonly properties: { readonly [name: string]: unknown } }

const OPCODE = 'First 32 bits of the body, hexadecimal.'

// Quotes inside JSON strings are escaped, so this matches members only. In a message the two members are adjacent.
const neutralOpcode = /(?<!\\)"opcode":(-?[0-9]+),"decoded_opcode":/g

const toTonDialect = (json: string): string =>
  json.replace(neutralOpcode, (_whole, opcode: string) => {
    const hex = (Number(opcode) >>> 0).toString(16).padStart(8, '0')
    return `"opcode":"0x${hex}","decoded_opcode":`
  })

/** The TON dialect of interfaces with the views of v3. */
export const tonDialect: Required<Pick<Interface, 'applyDialect' | 'describeDialect'>> = {
  applyDialect: toTonDialect,
  describeDialect,
}
