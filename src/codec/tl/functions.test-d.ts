import type { TonNodeBlockId, TonNodeBlockIdExt } from '../../../test/support/liteServerAnswers.ts'
import type { BlockId, BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteAnswer, LiteCall, LiteFunctionName } from './liteQuery.ts'
import type { LiteServerBlockData, LiteServerBlockHeader } from './liteServerTypes.ts'
import { tlFunctions } from './tlObject.ts'
import type { TlArguments, TlFunctionName, TlObject, TlResults } from './tlTypes.ts'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [K in keyof T]: T[K] }
const same = <A, B>(..._: Same<A, B> extends true ? [] : ['not the same type']): void => {}

// Block ids are the same shape in TL and in primitives, so they pass through without conversion.
same<Flat<BlockId>, Flat<TonNodeBlockId>>()
same<Flat<BlockIdExt>, Flat<TonNodeBlockIdExt>>()

// A client written once for all functions gives every call its own answer.
declare const send: (bytes: Uint8Array) => Uint8Array
const call = <K extends TlFunctionName>(name: K, args: TlArguments[K]): TlResults[K] =>
  tlFunctions[name].decodeResult(send(tlFunctions[name].encode(args)))

declare const id: BlockIdExt
const block = call('liteServer.getBlock', { id })
same<typeof block, LiteServerBlockData>()
const header = call('liteServer.lookupBlock', { mode: 1, id, lt: undefined })
same<typeof header, LiteServerBlockHeader>()
call('liteServer.getTime', {})
call('liteServer.listBlockTransactions', { id, mode: 7, count: 16, wantProof: true })
// @ts-expect-error getBlock takes an id
call('liteServer.getBlock', {})
// @ts-expect-error there is no such function
call('liteServer.getNothing', {})
// @ts-expect-error a hash is bytes, not text
call('liteServer.getLibraries', { libraryList: ['00'] })

// `kind` narrows objects, calls and answers.
export const describe = (object: TlObject, query: LiteCall, answer: LiteAnswer<'liteServer.getTime'>): unknown => {
  if (object.kind === 'adnl.message.query') same<typeof object.queryId, Uint8Array>()
  if (object.kind === 'liteServer.partialBlockProof') {
    const [step] = object.steps
    if (step?.kind === 'liteServer.blockLinkForward') return step.configProof
  }
  if (query.kind === 'liteServer.getShardInfo') same<typeof query.shard, bigint>()
  return answer.ok ? answer.result.now : answer.error.message
}

// Wrappers are not for calling.
same<Extract<LiteFunctionName, 'liteServer.query' | 'liteServer.waitMasterchainSeqno'>, never>()
