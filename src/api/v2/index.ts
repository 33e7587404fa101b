import { Type } from 'typebox'
import type { Dialect, Interface } from '../core/Interface.ts'
import {
  getAddressBalance,
  getAddressInformation,
  getAddressState,
  getExtendedAddressInformation,
  getShardAccountCell,
  getWalletInformation,
} from './endpoints/accounts.ts'
import { detectAddress, detectHash, packAddress, unpackAddress } from './endpoints/addresses.ts'
import { getMasterchainBlockSignatures, getShardBlockProof } from './endpoints/blockProofs.ts'
import {
  getBlockHeader,
  getConsensusBlock,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getShards,
  healthcheck,
  lookupBlock,
  shards,
} from './endpoints/blocks.ts'
import { getBlockTransactions, getBlockTransactionsExt } from './endpoints/blockTransactions.ts'
import { getConfigAll, getConfigParam, getConfigParams, getLibraries } from './endpoints/config.ts'
import { dnsResolve } from './endpoints/dns.ts'
import { estimateFee, estimateFeeSimple } from './endpoints/fees.ts'
import { runGetMethod, runGetMethodStd } from './endpoints/getMethods.ts'
import {
  sendBoc,
  sendBocAndWait,
  sendBocReturnHash,
  sendBocReturnHashNoError,
  sendQuery,
  sendQuerySimple,
} from './endpoints/send.ts'
import { getTokenData } from './endpoints/tokens.ts'
import {
  getTransactions,
  getTransactionsStd,
  tryLocateResultTx,
  tryLocateSourceTx,
  tryLocateTx,
} from './endpoints/transactions.ts'
import { extraMember, jsonRpc, renderError, renderResult, v2Statuses } from './envelope.ts'
import type { V2Context } from './v2Endpoint.ts'

const ExtraView = Type.Optional(
  Type.String({ description: 'The @extra of the request; otherwise time, nodes and duration of the response.' }),
)

/** The v2 interface: live chain data from liteservers. */
export const v2 = {
  prefix: '/api/v2',
  title: 'Live chain data (v2)',
  description:
    'Accounts, blocks, transactions and get-methods, read live from liteservers and verified by proofs. ' +
    'Every method supports GET, POST and JSON-RPC.',
  // The patch number is that of the program: see presentV2.
  version: '2.2.0',
  endpoints: [
    getAddressInformation,
    getExtendedAddressInformation,
    getWalletInformation,
    getAddressBalance,
    getAddressState,
    getShardAccountCell,
    getTokenData,
    dnsResolve,
    getMasterchainInfo,
    getConsensusBlock,
    getMasterchainBlockSignatures,
    getShardBlockProof,
    lookupBlock,
    getShards,
    shards,
    getBlockHeader,
    getOutMsgQueueSize,
    getBlockTransactions,
    getBlockTransactionsExt,
    getTransactions,
    getTransactionsStd,
    tryLocateTx,
    tryLocateResultTx,
    tryLocateSourceTx,
    sendBoc,
    sendBocReturnHash,
    sendBocReturnHashNoError,
    sendBocAndWait,
    sendQuery,
    sendQuerySimple,
    estimateFee,
    estimateFeeSimple,
    runGetMethod,
    runGetMethodStd,
    getConfigParam,
    getConfigAll,
    getConfigParams,
    getLibraries,
    detectAddress,
    detectHash,
    packAddress,
    unpackAddress,
    healthcheck,
  ],
  statuses: v2Statuses,
  commonErrors: [
    'overloaded',
    'block_not_found',
    'node_refused',
    'node_answer_invalid',
    'proof_failed',
    'node_timeout',
    'node_unavailable',
    'vm_timeout',
    'vm_busy',
  ],
  ignoredMembers: [extraMember],
  body: { mediaType: 'any', mayBeEmpty: false },
  localOnly: false,
  jsonRpc,
  envelope: renderResult,
  envelopeSchema: (result) => Type.Object({ ok: Type.Literal(true), result, '@extra': ExtraView }),
  openEnvelope: (answer) => (answer as { readonly result: unknown }).result,
  renderError,
  errorSchema: Type.Object(
    {
      ok: Type.Literal(false),
      error: Type.String({
        description: 'Error message.',
        examples: ['failed to parse get request: failed to parse seqno'],
      }),
      code: Type.Integer({ description: 'The HTTP status.', examples: [422] }),
      '@extra': ExtraView,
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V2Context>

export type Presentation = {
  readonly prefix: `/${string}`
  readonly dialect: Dialect
  /** Version of the program; its patch number is that of the interface, too. */
  readonly version: string
}

/** The interface at one URL prefix. Handlers write the neutral dialect; the TON dialect is applied to the JSON. */
export const presentV2 = ({ prefix, dialect, version: programVersion }: Presentation): Interface<V2Context> => {
  const version = `2.2.${programVersion.split('.')[2] ?? '0'}`
  const headers = { 'x-api-version': version }
  const definition = { ...v2, prefix, version, headers: () => headers }
  return dialect === 'chain' ? definition : { ...definition, applyDialect: toTonDialect }
}

const neutralName = '"chain.blockIdExt"'
const tonName = '"ton.blockIdExt"'

/** Searches the text itself: a regular expression takes twenty times longer for an answer without a block id. */
const toTonDialect = (json: string): string => {
  let text = ''
  let done = 0
  for (let at = json.indexOf(neutralName); at >= 0; ) {
    // Quotes inside JSON strings are escaped by a backslash, so this finds whole strings only.
    const isWhole = json[at - 1] !== '\\'
    if (isWhole) {
      text += json.slice(done, at) + tonName
      done = at + neutralName.length
    }
    at = json.indexOf(neutralName, isWhole ? done : at + 1)
  }
  return done === 0 ? json : text + json.slice(done)
}
