import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import { tlFunctions } from '../../src/codec/tl/tlObject.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { verifyBlockProofChain } from '../../src/node/proofs/chainProofs.ts'
import { type BlockIdExt, formatBlockId } from '../../src/primitives/BlockId.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { formatShard, parseShard, wholeShard } from '../../src/primitives/shard.ts'
import { readFixture, readFixtureJson } from './fixtures.ts'
import { readPair, type Trust } from './liteProofs.ts'

type IndexedBlock = {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly key_block?: boolean
}

const toId = ({ workchain, shard, seqno, root_hash, file_hash }: IndexedBlock): BlockIdExt => ({
  workchain,
  shard: parseShard(shard),
  seqno,
  rootHash: fromHex(root_hash),
  fileHash: fromHex(file_hash),
})

/** The recorded network, whose blocks are all at hand as files. */
export class LocalnetTrust implements Trust {
  private readonly blocks = readFixtureJson<{ readonly blocks: readonly IndexedBlock[] }>(
    'localnet/blocks/index.json',
  ).blocks
  private readonly byName = new Map(this.blocks.map((block) => [formatBlockId(toId(block)), block]))

  block(workchain: number, shard: bigint, seqno: number): BlockIdExt {
    const block = this.byName.get(formatBlockId({ workchain, shard, seqno }))
    if (block === undefined) throw new Error(`The recorded network has no block ${seqno} of ${formatShard(shard)}.`)
    return toId(block)
  }

  /** The blocks end before the last questions were asked; what those are about, a proof chain from the first block shows. */
  masterchainBlock(seqno: number): BlockIdExt {
    if (!this.byName.has(formatBlockId({ workchain: -1, shard: wholeShard, seqno }))) {
      const { response } = readPair('localnet/liteserver/090-getBlockProof-latest.json')
      const answer = tlFunctions['liteServer.getBlockProof'].decodeResult(response)
      const { to } = verifyBlockProofChain(answer, this.masterchainBlock(1))
      if (to.seqno === seqno) return to
    }
    return this.block(-1, wholeShard, seqno)
  }

  keyBlockBefore({ seqno }: BlockIdExt): BlockIdExt {
    const keyBlock = this.blocks.filter((block) => block.key_block === true && block.seqno <= seqno).at(-1)
    if (keyBlock === undefined) throw new Error(`There is no key block up to ${seqno}.`)
    return toId(keyBlock)
  }

  stateHashAfter({ workchain, shard, seqno }: BlockIdExt): Uint8Array {
    const root = decodeSingleBoc(readFixture(`localnet/blocks/${workchain}_${formatShard(shard)}_${seqno}.boc`))
    return readMerkleUpdate(openBlock(root).stateUpdate).after.hash(0)
  }
}
