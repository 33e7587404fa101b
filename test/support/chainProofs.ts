import { keyIdOf, publicKeyOf, signWith } from '../../src/adnl/keys.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { recordVisited } from '../../src/codec/cell/HashIndex.ts'
import { buildMerkleProof } from '../../src/codec/cell/merkle.ts'
import type {
  LiteServerAccountState,
  LiteServerBlockLinkBack,
  LiteServerBlockLinkForward,
} from '../../src/codec/tl/liteServerTypes.ts'
import { encodeTlObject } from '../../src/codec/tl/tlObject.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../src/codec/tlb/BlockInfo.ts'
import { findConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { openMcStateHistory } from '../../src/codec/tlb/McStateExtra.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { findShardOfAccount } from '../../src/codec/tlb/ShardHashes.ts'
import { listValidators } from '../../src/codec/tlb/ValidatorSet.ts'
import { openMasterBlockExtra } from '../../src/node/proofs/ProvenHeader.ts'
import { openMasterExtra, readState } from '../../src/node/proofs/ProvenState.ts'
import { sessionIdOf } from '../../src/node/proofs/signatures.ts'
import { validatorListHash, validatorSubset } from '../../src/node/proofs/validatorSets.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { getU64BE } from '../../src/primitives/bytes.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import type { LiteServerSignatureSetOrdinary, LiteServerSignatureSetSimplex } from './liteServerAnswers.ts'
import type { ProvableBlock, ProvableChain } from './ProvableChain.ts'

/** A Merkle proof of what `read` enters. */
export const proofOf = (root: Cell, read: () => void): Cell => buildMerkleProof(root, recordVisited(read))

const readHeader = ({ root }: ProvableBlock): void => {
  const info = openBlockInfo(openBlock(root).info)
  openPrevRef(info)
}

/** The header of a block. */
export const headerProof = (block: ProvableBlock): Cell => proofOf(block.root, () => readHeader(block))

/** The header of a block with its state update, which stands for the state after it. */
export const stateRootProof = (block: ProvableBlock): Cell => {
  const visited = recordVisited(() => readHeader(block))
  const { stateUpdate } = openBlock(block.root)
  visited.add(stateUpdate.arena, stateUpdate.index)
  return buildMerkleProof(block.root, visited)
}

/** What the state after a block holds where `read` enters it, proven from the block: two roots. */
export const statePair = (block: ProvableBlock, read: (state: ReturnType<typeof readState>) => void): Uint8Array =>
  encodeBoc([stateRootProof(block), proofOf(block.state, () => read(readState(block.state)))])

/** The answer to getAccountState of an honest server. */
export const answerAccountState = (
  reference: ProvableBlock,
  shard: ProvableBlock,
  account: { readonly workchain: number; readonly id: Uint8Array },
): LiteServerAccountState => {
  const entry = openShardAccounts(readState(shard.state).accounts).find(account.id)
  return {
    id: reference.id,
    shardblk: shard.id,
    shardProof:
      reference === shard
        ? new Uint8Array(0)
        : statePair(reference, (state) =>
            findShardOfAccount(openMasterExtra(state).shardHashes, account.workchain, getU64BE(account.id, 0)),
          ),
    proof: statePair(shard, (state) => openShardAccounts(state.accounts).find(account.id)),
    state: entry === undefined ? new Uint8Array(0) : encodeBoc([entry.account]),
  }
}

const signers = (chain: ProvableChain, block: ProvableBlock) => {
  const info = openBlockInfo(openBlock(block.root).info)
  const nodes = validatorSubset(chain.rules, block.id, info.genCatchainSeqno)
  const validatorSetHash = validatorListHash(nodes, info.genCatchainSeqno) | 0
  return { info, nodes, validatorSetHash, catchainSeqno: info.genCatchainSeqno }
}

const signAll = (chain: ProvableChain, message: Uint8Array, who: readonly number[]) =>
  who.map((k) => ({
    nodeIdShort: keyIdOf(publicKeyOf(chain.seeds[k]!)),
    signature: signWith(chain.seeds[k]!)(message),
  }))

/** Signatures over the hashes of a block, by the validators of these numbers. */
export const signOrdinary = (
  chain: ProvableChain,
  block: ProvableBlock,
  who: readonly number[],
): LiteServerSignatureSetOrdinary => {
  const { validatorSetHash, catchainSeqno } = signers(chain, block)
  const message = encodeTlObject({
    kind: 'ton.blockId',
    rootCellHash: block.id.rootHash,
    fileHash: block.id.fileHash,
  })
  const signatures = signAll(chain, message, who)
  return { kind: 'liteServer.signatureSet.ordinary', validatorSetHash, catchainSeqno, signatures }
}

export type SimplexLie = {
  readonly vote?: 'consensus.simplex.finalizeVote' | 'consensus.simplex.notarizeVote'
  readonly sessionId?: Uint8Array
  readonly voted?: BlockIdExt
}

/** Votes of a simplex session for a block. */
export const signSimplex = (
  chain: ProvableChain,
  block: ProvableBlock,
  who: readonly number[],
  lie: SimplexLie = {},
): LiteServerSignatureSetSimplex => {
  const { info, nodes, validatorSetHash, catchainSeqno } = signers(chain, block)
  const sessionId = lie.sessionId ?? sessionIdOf({ id: block.id, info, block: openBlock(block.root) }, nodes)
  const candidate = encodeTlObject({
    kind: 'consensus.candidateHashDataOrdinary',
    block: lie.voted ?? block.id,
    collatedFileHash: new Uint8Array(32).fill(9),
    parent: { kind: 'consensus.candidateWithoutParents' },
  })
  const slot = 3
  const vote = lie.vote ?? 'consensus.simplex.finalizeVote'
  const data = encodeTlObject({ kind: vote, id: { slot, hash: sha256(candidate) } })
  const signatures = signAll(chain, encodeTlObject({ kind: 'consensus.dataToSign', sessionId, data }), who)
  const kind = 'liteServer.signatureSet.simplex'
  return { kind, ccSeqno: catchainSeqno, validatorSetHash, signatures, sessionId, slot, candidate }
}

type ForwardLink = Pick<LiteServerBlockLinkForward, 'signatures'> & Partial<LiteServerBlockLinkForward>

/** A link from a key block or the zerostate to a later block. */
export const linkForward = (from: ProvableBlock, to: ProvableBlock, more: ForwardLink): LiteServerBlockLinkForward => ({
  kind: 'liteServer.blockLinkForward',
  toKeyBlock: openBlockInfo(openBlock(to.root).info).keyBlock,
  from: from.id,
  to: to.id,
  destProof: encodeBoc([headerProof(to)]),
  configProof: encodeBoc([configProof(from)]),
  ...more,
})

const configProof = (from: ProvableBlock): Cell =>
  proofOf(from.root, () => {
    if (from.id.seqno > 0) readHeader(from)
    const { config } =
      from.id.seqno === 0 ? openMasterExtra(readState(from.root)).config : openMasterBlockExtra(from.root).config!
    for (const id of [28, 34, 35] as const) findConfigParam(config, id)
    listValidators(findConfigParam(config, 34)!)
  })

/** A link from a block to an earlier one. */
export const linkBack = (
  from: ProvableBlock,
  to: ProvableBlock,
  more: Partial<LiteServerBlockLinkBack> = {},
): LiteServerBlockLinkBack => ({
  kind: 'liteServer.blockLinkBack',
  toKeyBlock: to.id.seqno === 0 || openBlockInfo(openBlock(to.root).info).keyBlock,
  from: from.id,
  to: to.id,
  destProof: to.id.seqno === 0 ? new Uint8Array(0) : encodeBoc([headerProof(to)]),
  proof: encodeBoc([stateRootProof(from)]),
  stateProof: encodeBoc([
    proofOf(from.state, () => {
      const { history } = openMasterExtra(readState(from.state))
      openMcStateHistory(history).prevBlocks.find(to.id.seqno)
    }),
  ]),
  ...more,
})
