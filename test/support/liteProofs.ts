import { decodeLiteAnswer, type LiteCall, type LiteFunctionName } from '../../src/codec/tl/liteQuery.ts'
import type { TlResults } from '../../src/codec/tl/tlTypes.ts'
import { verifyAccountState } from '../../src/node/proofs/accountProofs.ts'
import { verifyBlockHeader, verifyLookup, verifyRawBlock } from '../../src/node/proofs/blockProofs.ts'
import { verifyBlockTransactions, verifyBlockTransactionsExt } from '../../src/node/proofs/blockTransactionProofs.ts'
import { verifyBlockProofChain } from '../../src/node/proofs/chainProofs.ts'
import { verifyConfig, verifyLibraries, verifyLibrariesWithProof } from '../../src/node/proofs/configProofs.ts'
import { verifyQueueSize } from '../../src/node/proofs/queueProofs.ts'
import { verifyAllShards, verifyShardBlock } from '../../src/node/proofs/shardProofs.ts'
import { verifyTransactionList } from '../../src/node/proofs/transactionProofs.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { decodeLiteQuery } from './decodeLiteQuery.ts'
import { readFixtureJson } from './fixtures.ts'
import { type AnyProofCase, proofCase } from './ProofCase.ts'
import { verifyMethodRun, verifyPrunedAccountState, verifyTransaction } from './proofs/accountAnswers.ts'
import {
  verifyLookedUpHeader,
  verifyShardInfo,
  verifyState,
  verifyValidatorStats,
  verifyZerostate,
} from './proofs/blockAnswers.ts'
import { verifyDispatchQueueInfo, verifyDispatchQueueMessages } from './proofs/dispatchQueues.ts'

/** What a test knows to be true without any proof. */
export type Trust = {
  /** A masterchain block by its seqno. */
  masterchainBlock(seqno: number): BlockIdExt
  /** The last key block up to a masterchain block. */
  keyBlockBefore(id: BlockIdExt): BlockIdExt
  stateHashAfter(id: BlockIdExt): Uint8Array
}

type Check<K extends LiteFunctionName> = (call: LiteCall<K>, answer: TlResults[K], trust: Trust) => unknown

const LATEST = -1
const WITH_PROOF = 32
const METADATA = 256
const FROM_KEY_BLOCK = 0x8000

/** The reference block of a question; for the latest, the one that the answer names, which is then looked up. */
const reference = (asked: BlockIdExt, stated: BlockIdExt, trust: Trust): BlockIdExt =>
  asked.seqno === LATEST ? trust.masterchainBlock(stated.seqno) : asked

const checks: { readonly [K in LiteFunctionName]?: Check<K> } = {
  'liteServer.getBlock': ({ id }, answer) => verifyRawBlock(id, answer),
  'liteServer.getState': ({ id }, answer, trust) =>
    id.seqno === 0 ? verifyZerostate(id, answer) : verifyState(id, trust.stateHashAfter(id), answer),
  'liteServer.getBlockHeader': (call, answer) => verifyBlockHeader(call.id, call, answer),
  'liteServer.lookupBlock': verifyLookedUpHeader,
  'liteServer.lookupBlockWithProof': (call, answer) => verifyLookup(call.mcBlockId, call, answer),
  'liteServer.getAccountState': (call, answer, trust) =>
    verifyAccountState(reference(call.id, answer.id, trust), call, answer),
  'liteServer.getAccountStatePrunned': (call, answer, trust) =>
    verifyPrunedAccountState(reference(call.id, answer.id, trust), call, answer),
  'liteServer.runSmcMethod': (call, answer) => verifyMethodRun(call.id, call, answer),
  'liteServer.getShardInfo': (call, answer) => verifyShardInfo(call.id, call, answer),
  'liteServer.getAllShardsInfo': (call, answer) => verifyAllShards(call.id, answer),
  'liteServer.getOneTransaction': (call, answer) => verifyTransaction(call.id, call, answer),
  'liteServer.getTransactions': (call, answer) => verifyTransactionList(call, answer),
  'liteServer.listBlockTransactions': (call, answer) => verifyBlockTransactions(call.id, call, answer),
  'liteServer.listBlockTransactionsExt': (call, answer) => verifyBlockTransactionsExt(call.id, call, answer),
  'liteServer.getBlockProof': (call, answer) => verifyBlockProofChain(answer, call.knownBlock, call.targetBlock),
  'liteServer.getConfigAll': (call, answer, trust) => verifyConfig(configBlock(call, trust), call, answer),
  'liteServer.getConfigParams': (call, answer, trust) => verifyConfig(configBlock(call, trust), call, answer),
  'liteServer.getValidatorStats': (call, answer) => verifyValidatorStats(call.id, call, answer),
  'liteServer.getLibraries': verifyLibraries,
  'liteServer.getLibrariesWithProof': (call, answer) => verifyLibrariesWithProof(call.id, call, answer),
  'liteServer.getShardBlockProof': (call, answer, trust) =>
    verifyShardBlock(trust.masterchainBlock(answer.masterchainId.seqno), call, answer),
  'liteServer.getBlockOutMsgQueueSize': (call, answer) => verifyQueueSize(call.id, answer),
  'liteServer.getDispatchQueueInfo': (call, answer) => verifyDispatchQueueInfo(call.id, call, answer),
  'liteServer.getDispatchQueueMessages': (call, answer) => verifyDispatchQueueMessages(call.id, call, answer),
}

const configBlock = ({ mode, id }: { readonly mode: number; readonly id: BlockIdExt }, trust: Trust): BlockIdExt =>
  (mode & FROM_KEY_BLOCK) === 0 ? id : trust.keyBlockBefore(id)

/** Whether the question asked for the proof that its answer may come with. */
const asksProof = (call: LiteCall): boolean => {
  switch (call.kind) {
    case 'liteServer.runSmcMethod':
      return (call.mode & 3) === 3
    case 'liteServer.listBlockTransactions':
      return (call.mode & WITH_PROOF) !== 0
    case 'liteServer.listBlockTransactionsExt':
      return (call.mode & (WITH_PROOF | METADATA)) !== 0
    case 'liteServer.getBlockOutMsgQueueSize':
    case 'liteServer.getDispatchQueueInfo':
    case 'liteServer.getDispatchQueueMessages':
      return (call.mode & 1) !== 0
    default:
      return true
  }
}

/** What answers hold besides what they prove. */
const unbound: { readonly [K in LiteFunctionName]?: RegExp } = {
  'liteServer.getTransactions': /^ids\./,
  'liteServer.lookupBlock': /^id\.fileHash$/,
  'liteServer.runSmcMethod': /^(result|initC7|libExtras)$/,
}

/** The check of an answer, or `undefined` where it carries no proof. */
export const findProofCase = (
  name: string,
  request: Uint8Array,
  response: Uint8Array,
  trust: Trust,
): AnyProofCase | undefined => {
  const { call } = decodeLiteQuery(request)
  const kind = call.kind as LiteFunctionName
  const check = checks[kind] as Check<LiteFunctionName> | undefined
  if (check === undefined || !asksProof(call)) return undefined
  const answer = decodeLiteAnswer(kind, response)
  if (!answer.ok) return undefined
  return proofCase(name, answer.result, (changed) => check(call as LiteCall<LiteFunctionName>, changed, trust), {
    unbound: unbound[kind],
  })
}

type RecordedPair = { readonly request_tl_hex: string; readonly response_tl_hex: string }

/** A recorded question and its answer, as bytes. */
export const readPair = (path: string): { readonly request: Uint8Array; readonly response: Uint8Array } => {
  const { request_tl_hex, response_tl_hex } = readFixtureJson<RecordedPair>(path)
  return { request: fromHex(request_tl_hex), response: fromHex(response_tl_hex) }
}
