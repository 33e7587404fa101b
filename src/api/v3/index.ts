import { Type } from 'typebox'
import { DatabaseTimeoutError, StoreError } from '../../store/errors.ts'
import type { Call } from '../core/Call.ts'
import { type Failure, InvalidParamsError, type ParamIssue, type Statuses } from '../core/errors.ts'
import type { Description, Dialect, Interface } from '../core/Interface.ts'
import { accountStates, addressBook, metadata, topAccountsByBalance, walletStates } from './endpoints/accounts.ts'
import { actions } from './endpoints/actions.ts'
import { blocks, masterchainBlockShardState, masterchainBlockShards, masterchainInfo } from './endpoints/blocks.ts'
import { decode } from './endpoints/decode.ts'
import { dnsRecords } from './endpoints/dns.ts'
import { runGetMethod } from './endpoints/getMethods.ts'
import { jettonBurns, jettonMasters, jettonTransfers, jettonWallets } from './endpoints/jettons.ts'
import { messages } from './endpoints/messages.ts'
import { multisigOrders, multisigWallets } from './endpoints/multisig.ts'
import { nftCollections, nftItems, nftSales, nftTransfers } from './endpoints/nfts.ts'
import { pendingActions, pendingTraces, pendingTransactions } from './endpoints/pending.ts'
import { estimateFee, message } from './endpoints/send.ts'
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

/** Where this interface departs from the table of statuses. */
const v3Statuses: Statuses = {
  invalid_json: 422,
  invalid_request: 422,
  unsupported_media_type: 422,
  database_conflict: 500,
  database_full: 500,
  database_refused: 500,
  database_unavailable: 500,
}

/** What a caller is told of a failure. */
const describeFailure = ({ error, message }: Failure): string => {
  if (error instanceof InvalidParamsError) return describeIssues(error.issues)
  if (error instanceof DatabaseTimeoutError) return describeTimeout(error)
  return isOfDatabase(error) ? 'The index cannot be read now: its database does not answer as it should.' : message
}

/** A caller who gave less time than there is can give more. */
const describeTimeout = ({ message, cause }: DatabaseTimeoutError): string =>
  cause === undefined
    ? `${message} Ask for less, or give more time with x_timeout, ${MAX_TIMEOUT_MS} ms at most.`
    : `The database did not answer within ${MAX_TIMEOUT_MS} ms. Ask for less.`

/** What the database or the way to it said, addresses and names of files included, is for the operator. */
const isOfDatabase = (error: Failure['error']): boolean => error instanceof StoreError && error.cause !== undefined

/** What cannot be read is told first, and how much of it there is; then what can be read and is refused. */
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

/** The history of the chain, for the clients of the indexed interface. */
export const v3 = {
  prefix: '/api/v3',
  title: 'The history of the chain',
  description:
    'Transactions, messages, traces, tokens, collectibles and what they did, from an index that is kept in a database. ' +
    'Every answer says in its headers up to which masterchain block the index was complete when it was made.',
  // The last number is that of the tables: see presentV3.
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
    addressBook,
    metadata,
    walletStates,
    masterchainInfo,
    blocks,
    masterchainBlockShardState,
    masterchainBlockShards,
    addressInformation,
    account,
    walletInformation,
    wallet,
    message,
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
    jettonTransfers,
    jettonWallets,
    nftCollections,
    nftItems,
    nftSales,
    nftTransfers,
    dnsRecords,
    multisigOrders,
    multisigWallets,
    vesting,
  ],
  statuses: v3Statuses,
  commonErrors: ['database_unavailable', 'database_full', 'database_refused', 'database_conflict', 'database_timeout'],
  // Those of v2.
  passedOnStatuses: [422, 500, 504, 533, 542],
  // A thousand addresses, and a thousand hashes, with every character that needs it escaped.
  maxUrlBytes: 1 << 18,
  ignoredMembers: 'all',
  body: { mediaType: 'json', mayBeEmpty: false },
  localOnly: false,
  envelope: (result) => result,
  envelopeSchema: (result) => result,
  openEnvelope: (answer) => answer,
  renderError: (failure) => ({ error: describeFailure(failure) }),
  errorSchema: Type.Object(
    { error: Type.String({ description: 'What went wrong.', examples: ['masterchain block 99999999 not found'] }) },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V3Parts>

export type V3Presentation = {
  readonly prefix: `/${string}`
  readonly dialect: Dialect
  /** How many migrations the tables have been through: the last number of the version. */
  readonly schemaNumber: number
  /** The newest block in the index that a call was answered from. */
  readonly findHead: (call: Call) => IndexedHead | undefined
}

export type IndexedHead = { readonly seqno: number; readonly utime: number }

/** The interface as it is served at one place. Inside it everything is written in the neutral dialect. */
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
    }
  }
  const definition = { ...v3, prefix, version, headers }
  return dialect === 'chain' ? definition : { ...definition, respell: toEcosystem, redescribe }
}

/** Opcodes of messages are text in the other dialect. */
const redescribe = (document: Description): Description => {
  const components = document['components'] as { readonly schemas: { readonly [name: string]: MessageSchema } }
  const { Message, ...schemas } = components.schemas
  if (Message === undefined) throw new Error('The description has no schema of a message.')
  const opcode = { anyOf: [{ type: 'string', pattern: '^0x[0-9a-f]{8}$', description: OPCODE }, { type: 'null' }] }
  const message = { ...Message, properties: { ...Message.properties, opcode } }
  return { ...document, components: { ...components, schemas: { ...schemas, Message: message } } }
}

type MessageSchema = { readonly properties: { readonly [name: string]: unknown } }

const OPCODE = 'The first 32 bits of the body, hexadecimal.'

// Within the JSON of a text every quote comes after a backslash, so this matches members only. In a message the two are neighbours.
const neutralOpcode = /(?<!\\)"opcode":(-?[0-9]+),"decoded_opcode":/g

const toEcosystem = (json: string): string =>
  json.replace(neutralOpcode, (_whole, opcode: string) => {
    const hex = (Number(opcode) >>> 0).toString(16).padStart(8, '0')
    return `"opcode":"0x${hex}","decoded_opcode":`
  })
