import { Type } from 'typebox'
import type { Interface } from '../core/Interface.ts'
import { v2Statuses } from './describeFailure.ts'
import { detectAddress } from './endpoints/detectAddress.ts'
import { detectHash } from './endpoints/detectHash.ts'
import { dnsResolve } from './endpoints/dnsResolve.ts'
import { estimateFee } from './endpoints/estimateFee.ts'
import { estimateFeeSimple } from './endpoints/estimateFeeSimple.ts'
import { getAddressBalance } from './endpoints/getAddressBalance.ts'
import { getAddressInformation } from './endpoints/getAddressInformation.ts'
import { getAddressState } from './endpoints/getAddressState.ts'
import { getBlockHeader } from './endpoints/getBlockHeader.ts'
import { getBlockTransactions } from './endpoints/getBlockTransactions.ts'
import { getBlockTransactionsExt } from './endpoints/getBlockTransactionsExt.ts'
import { getConfigAll } from './endpoints/getConfigAll.ts'
import { getConfigParam } from './endpoints/getConfigParam.ts'
import { getConsensusBlock } from './endpoints/getConsensusBlock.ts'
import { getExtendedAddressInformation } from './endpoints/getExtendedAddressInformation.ts'
import { getLibraries } from './endpoints/getLibraries.ts'
import { getMasterchainBlockSignatures } from './endpoints/getMasterchainBlockSignatures.ts'
import { getMasterchainInfo } from './endpoints/getMasterchainInfo.ts'
import { getOutMsgQueueSize } from './endpoints/getOutMsgQueueSize.ts'
import { getShardAccountCell } from './endpoints/getShardAccountCell.ts'
import { getShardBlockProof } from './endpoints/getShardBlockProof.ts'
import { getShards } from './endpoints/getShards.ts'
import { getTokenData } from './endpoints/getTokenData.ts'
import { getTransactions } from './endpoints/getTransactions.ts'
import { getTransactionsStd } from './endpoints/getTransactionsStd.ts'
import { getWalletInformation } from './endpoints/getWalletInformation.ts'
import { healthcheck } from './endpoints/healthcheck.ts'
import { lookupBlock } from './endpoints/lookupBlock.ts'
import { packAddress } from './endpoints/packAddress.ts'
import { runGetMethod } from './endpoints/runGetMethod.ts'
import { runGetMethodStd } from './endpoints/runGetMethodStd.ts'
import { sendBoc } from './endpoints/sendBoc.ts'
import { sendBocReturnHash } from './endpoints/sendBocReturnHash.ts'
import { sendBocReturnHashNoError } from './endpoints/sendBocReturnHashNoError.ts'
import { sendQuery } from './endpoints/sendQuery.ts'
import { sendQuerySimple } from './endpoints/sendQuerySimple.ts'
import { shards } from './endpoints/shards.ts'
import { tryLocateResultTx } from './endpoints/tryLocateResultTx.ts'
import { tryLocateSourceTx } from './endpoints/tryLocateSourceTx.ts'
import { tryLocateTx } from './endpoints/tryLocateTx.ts'
import { unpackAddress } from './endpoints/unpackAddress.ts'
import { jsonRpc, renderError, renderResult } from './envelope.ts'
import { extraMember } from './extra.ts'
import type { V2Context } from './V2Context.ts'

const ExtraView = Type.Optional(
  Type.String({ description: 'What the caller sent under this name; else when, by which nodes and how fast.' }),
)

/** Access to the chain as it is now, for the clients of the non-indexed interface. */
export const v2 = {
  prefix: '/api/v2',
  title: 'The chain as it is now',
  description:
    'Accounts, blocks, transactions and get-methods, read from nodes when they are asked for and checked against proofs. ' +
    'Every method is there for GET and POST, and by its name in JSON-RPC.',
  // The last number is that of the program: see presentV2.
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
    sendQuery,
    sendQuerySimple,
    estimateFee,
    estimateFeeSimple,
    runGetMethod,
    runGetMethodStd,
    getConfigParam,
    getConfigAll,
    getLibraries,
    detectAddress,
    detectHash,
    packAddress,
    unpackAddress,
    healthcheck,
  ],
  statuses: v2Statuses,
  commonErrors: [
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
        description: 'What went wrong.',
        examples: ['failed to parse get request: failed to parse seqno'],
      }),
      code: Type.Integer({ description: 'The HTTP status.', examples: [422] }),
      '@extra': ExtraView,
    },
    { $id: 'Error' },
  ),
} as const satisfies Interface<V2Context>
