import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkleUpdate.ts'
import { readAdnlMessageAnswer } from '../../src/codec/tl/generated/adnl.ts'
import { tlFunctions } from '../../src/codec/tl/generated/functions.ts'
import type { LiteServerBlockTransactions } from '../../src/codec/tl/generated/liteServer.ts'
import { tlIds } from '../../src/codec/tl/generated/objects.ts'
import { TlReader } from '../../src/codec/tl/TlReader.ts'
import { openBlock } from '../../src/codec/tlb/Block.ts'
import { openAccountBlocks, openBlockExtra } from '../../src/codec/tlb/BlockExtra.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { openKeyBlockConfig } from '../../src/node/proofs/keyBlockConfig.ts'
import { locateAccount } from '../../src/node/proofs/locateAccount.ts'
import { openMasterBlockExtra } from '../../src/node/proofs/masterBlockExtra.ts'
import { openMasterExtra, readState } from '../../src/node/proofs/ProvenState.ts'
import { readSigningRules, type SigningRules } from '../../src/node/proofs/SigningRules.ts'
import { registeredShard } from '../../src/node/proofs/shardLeaf.ts'
import { unwrapProof } from '../../src/node/proofs/unwrapProof.ts'
import { validatorListHash } from '../../src/node/proofs/validatorListHash.ts'
import { validatorSubset } from '../../src/node/proofs/validatorSubset.ts'
import { verifyAccountState } from '../../src/node/proofs/verifyAccountState.ts'
import { verifyAllShards } from '../../src/node/proofs/verifyAllShards.ts'
import { verifyBlockHeader } from '../../src/node/proofs/verifyBlockHeader.ts'
import { verifyBlockTransactions } from '../../src/node/proofs/verifyBlockTransactions.ts'
import { verifyConfig } from '../../src/node/proofs/verifyConfig.ts'
import { verifyPackageProof } from '../../src/node/proofs/verifyPackageProof.ts'
import { verifyBlockBytes } from '../../src/node/proofs/verifyRawBlock.ts'
import { verifyShardBlock } from '../../src/node/proofs/verifyShardBlock.ts'
import { verifySignedBlock } from '../../src/node/proofs/verifySignedBlock.ts'
import { verifyTransaction } from '../../src/node/proofs/verifyTransaction.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { parseShard, parseSignedShard, wholeShard } from '../../src/primitives/shard.ts'
import { readFixture, readFixtureJson } from './fixtures.ts'
import { type AnyProofCase, proofCase } from './ProofCase.ts'
import { visibleEntries, visibleShards } from './visibleEntries.ts'

const FOLDER = 'mainnet/liteserver'
/** Proofs do not show file hashes: where a record does not state one, any will do. */
const SOME_FILE_HASH = new Uint8Array(32).fill(0xff)

type Root = { readonly virtual_hash: string; readonly of?: string; readonly workchain?: number; readonly shard?: string }
type Entry = { readonly file: string; readonly roots?: readonly (Root & { readonly seqno?: number })[] }

const masterchainId = (seqno: number, rootHash: string, fileHash?: string): BlockIdExt => ({
  workchain: -1,
  shard: wholeShard,
  seqno,
  rootHash: fromHex(rootHash),
  fileHash: fileHash === undefined ? SOME_FILE_HASH : fromHex(fileHash),
})

const idOfRoot = (root: Entry['roots'] extends readonly (infer R)[] | undefined ? R : never): BlockIdExt => ({
  workchain: root.workchain!,
  shard: parseShard(root.shard!),
  seqno: root.seqno!,
  rootHash: fromHex(root.virtual_hash),
  fileHash: SOME_FILE_HASH,
})

/** The rules of a key block whose file is among the blocks. */
export const rulesOfKeyBlock = (network: string, seqno: number): SigningRules => {
  const root = decodeSingleBoc(readFixture(`mainnet/blocks/${network}/-1_8000000000000000_${seqno}.boc`))
  const id = { ...masterchainId(seqno, '00'.repeat(32)), rootHash: root.hash() }
  const header = verifyBlockHeader(id, { mode: 0 }, { id, mode: 0, headerProof: wholeProof(root) })
  return readSigningRules(seqno, openKeyBlockConfig(header, root).config)
}
