import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { openBlock } from '../../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../../codec/tlb/BlockInfo.ts'
import { openMcStateHistory } from '../../../codec/tlb/McStateExtra.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt, masterchain } from '../../../primitives/BlockId.ts'
import { shardContains } from '../../../primitives/shard.ts'
import type { ChainStore } from '../../store/ChainStore.ts'
import type { StoredBlock } from '../../store/StoredBlock.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { expectOneWay, isFirstWanted, lookUp } from '../lookUp.ts'
import { prove, proveState } from '../merkle.ts'
import { openMasterExtra, openState } from '../openState.ts'
import { getBlockRoot, loadMasterBlockAndState } from '../referenceBlock.ts'
import { linkToMaster } from '../shardLinks.ts'
import { proveStateRoot } from '../stateRootProof.ts'

const NOTHING = new Uint8Array()

/** As lookupBlock, with all that leads to the block from a masterchain block that the client trusts. */
export const lookupBlockWithProof: LiteFunction<'liteServer.lookupBlockWithProof'> = ({ store }, question) => {
  const { mode, mcBlockId: client } = question
  expectOneWay(question)
  if (client.workchain !== masterchain || !isValidBlockIdExt(client)) {
    throw new LiteRefusal(REQUEST_ERROR, 'masterchain block id must be specified')
  }
  const found = lookUp(store, question)
  if (found.masterSeqno > client.seqno) {
    throw new LiteRefusal(0, "specified mc block is older than block's masterchain ref")
  }
  const header = proveLinkedHeader(store.getRoot(found.id))
  const prevHeader = isFirstWanted(question) ? proveHeader(getPrevious(store, found, question.id.shard)) : NOTHING
  const { master, links } = linkToMaster(store, found)
  const proofs = proveMaster(store, client, master)
  return { id: found.id, mode, mcBlockId: master, ...proofs, shardLinks: links, header, prevHeader }
}

const proveHeader = (block: Cell): Uint8Array =>
  encodeBoc([prove(block, (root) => void openBlockInfo(openBlock(root).info)).proof])

/** As {@link proveHeader}, with what the header says of the blocks before, which stands apart after a merge. */
const proveLinkedHeader = (block: Cell): Uint8Array =>
  encodeBoc([prove(block, (root) => void openPrevRef(openBlockInfo(openBlock(root).info))).proof])

/** The block before the one that was found, on the side of the accounts that were asked about. */
const getPrevious = (store: ChainStore, { prev }: StoredBlock, prefix: bigint): Cell => {
  const chosen = prev.find(({ shard }) => shardContains(shard, prefix))
  if (chosen === undefined) throw new LiteRefusal(REQUEST_ERROR, 'failed to choose previous block')
  return getBlockRoot(store, chosen)
}

type MasterProofs = { readonly clientMcStateProof: Uint8Array; readonly mcBlockProof: Uint8Array }

/** The state of the client's block remembers the block that leads to the one found, unless the two are the same. */
const proveMaster = (store: ChainStore, client: BlockIdExt, master: BlockIdExt): MasterProofs => {
  if (formatBlockIdExt(client) === formatBlockIdExt(master)) {
    return { clientMcStateProof: NOTHING, mcBlockProof: NOTHING }
  }
  const { root, state } = loadMasterBlockAndState(store, client)
  const { value: old, proof } = proveState(state, (stateRoot) =>
    openMcStateHistory(openMasterExtra(openState(stateRoot)).history).prevBlocks.find(master.seqno),
  )
  if (old === undefined) throw new LiteRefusal(0, 'client mc blkid is not in prev_blocks')
  return { clientMcStateProof: encodeBoc([proveStateRoot(root)]), mcBlockProof: encodeBoc([proof]) }
}
