import type { Cell } from '../../src/codec/cell/Cell.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { MERKLE_UPDATE, PRUNED_BRANCH } from '../../src/codec/cell/exotic.ts'
import { readMerkleUpdate } from '../../src/codec/cell/merkle.ts'
import type { LiteServerBlockTransactions } from '../../src/codec/tl/liteServerTypes.ts'
import { TlReader } from '../../src/codec/tl/TlReader.ts'
import { tlFunctions, tlIds, tlRows } from '../../src/codec/tl/tlObject.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../src/codec/tlb/Block.ts'
import { openBlockProof } from '../../src/codec/tlb/BlockProof.ts'
import { openShardAccounts } from '../../src/codec/tlb/ShardAccounts.ts'
import { locateAccount, verifyAccountState } from '../../src/node/proofs/accountProofs.ts'
import { verifyBlockBytes, verifyBlockHeader } from '../../src/node/proofs/blockProofs.ts'
import { verifyBlockTransactions } from '../../src/node/proofs/blockTransactionProofs.ts'
import { verifyConfig } from '../../src/node/proofs/configProofs.ts'
import {
  openKeyBlockConfig,
  openMasterBlockExtra,
  type ProvenHeader,
  readLinkedHeader,
} from '../../src/node/proofs/ProvenHeader.ts'
import { openMasterExtra, readState, unwrapStatePair } from '../../src/node/proofs/ProvenState.ts'
import { findRegisteredShard, verifyAllShards, verifyShardBlock } from '../../src/node/proofs/shardProofs.ts'
import { type BlockSignature, verifySignedBlock } from '../../src/node/proofs/signatures.ts'
import { unwrapProof } from '../../src/node/proofs/unwrapProof.ts'
import {
  readSigningRules,
  type SigningRules,
  validatorListHash,
  validatorSubset,
} from '../../src/node/proofs/validatorSets.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromBase64 } from '../../src/primitives/base64.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { parseShard, wholeShard } from '../../src/primitives/shard.ts'
import { readFixture, readFixtureJson } from './fixtures.ts'
import { type AnyProofCase, proofCase } from './ProofCase.ts'
import { verifyTransaction } from './proofs/accountAnswers.ts'
import { verifyPackageProof } from './proofs/blockAnswers.ts'
import { visibleKeys, visibleShards } from './visibleEntries.ts'

const FOLDER = 'mainnet/liteserver'
/** Proofs do not show file hashes: where a record states none, any will do. */
const SOME_HASH: Uint8Array = new Uint8Array(32).fill(0xff)
const NO_BYTES = new Uint8Array(0)
/** Nor do all of them show which block they are of; the root hash is what counts. */
const SOME_SEQNO = 1

type Root = {
  readonly virtual_hash: string
  readonly of?: string
  readonly workchain?: number
  readonly shard?: string
  readonly seqno?: number
}
type Entry = { readonly file: string; readonly content?: string; readonly roots?: readonly Root[] }

const idOf = (root: Root, fileHash = SOME_HASH): BlockIdExt => ({
  workchain: root.workchain ?? -1,
  shard: root.shard === undefined ? wholeShard : parseShard(root.shard),
  seqno: root.seqno ?? SOME_SEQNO,
  rootHash: fromHex(root.virtual_hash),
  fileHash,
})

/** What a key block says of signers, from its file among the blocks. */
const rulesOfKeyBlock = (network: string, seqno: number): SigningRules => {
  const root = decodeSingleBoc(readFixture(`mainnet/blocks/${network}/-1_8000000000000000_${seqno}.boc`))
  const header = readLinkedHeader(root, { ...idOf({ virtual_hash: '', seqno }), rootHash: root.hash() })
  return readSigningRules(seqno, openKeyBlockConfig(header, root).config)
}

type NodeProof = {
  readonly file: string
  readonly seqno: number
  readonly root_hash_of_block: string
  readonly file_hash_of_block: string
}

/** Signatures are numbered, but which has which number is nobody's claim. */
const signaturesInAnyOrder = ({ data }: { readonly data: Uint8Array }): unknown => {
  const { root, signatures, ...rest } = openBlockProof(decodeSingleBoc(data))
  const list = signatures?.signatures.entries().map(([, pair]) => JSON.stringify(pair)) ?? []
  return { ...rest, root, signatures: { ...signatures, signatures: list.sort() } }
}

/** Block proofs as nodes keep them, each signed by about ten of thirteen validators. */
export const nodeProofs = (): AnyProofCase[] => {
  const keyBlock = 3_082_181
  const rules = rulesOfKeyBlock('mainnet', keyBlock)
  // The key block itself is signed by the validators of the one before it, which is not at hand.
  return readFixtureJson<NodeProof[]>(`${FOLDER}/index.json`)
    .filter(({ file, seqno }) => file.startsWith('node-proofs/') && seqno !== keyBlock)
    .map(({ file, seqno, root_hash_of_block, file_hash_of_block }) => {
      const id = idOf({ virtual_hash: root_hash_of_block, seqno }, fromHex(file_hash_of_block))
      const answer = { data: readFixture(`${FOLDER}/${file}`) }
      return proofCase(file, answer, ({ data }) => verifyPackageProof(id, data, rules), {
        meaning: signaturesInAnyOrder,
      })
    })
}

type SignedHeader = {
  readonly block_id: { readonly seqno: number; readonly root_hash: string; readonly file_hash: string }
  readonly header_proof: string
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[]
}

type RecordedSignatures = Pick<SignedHeader, 'block_id' | 'signatures'>

const readSigned = <T extends RecordedSignatures>(file: string) => {
  const recorded = readFixtureJson<T>(`${FOLDER}/${file}`)
  const { seqno, root_hash, file_hash } = recorded.block_id
  const signatures = recorded.signatures.map(({ node_id_short, signature }) => ({
    nodeId: fromBase64(node_id_short),
    signature: fromBase64(signature),
  }))
  return { recorded, id: idOf({ virtual_hash: root_hash, seqno }, fromHex(file_hash)), signatures }
}

/** The records leave out the checksum of the signers, which follows from the rules. */
const verifyRecorded = (header: ProvenHeader, rules: SigningRules, signatures: readonly BlockSignature[]): unknown => {
  const catchainSeqno = header.info.genCatchainSeqno
  const hash = validatorListHash(validatorSubset(rules, header.id, catchainSeqno), catchainSeqno)
  return verifySignedBlock(header, rules, { validatorListHash: hash, catchainSeqno, signatures, vote: undefined })
}

/** Headers of key blocks, with signatures where another key block of the records names the signers. */
export const signedKeyBlocks = (): AnyProofCase[] => {
  const pairs = [
    ['fastnet', 850_663, 850_955],
    ['testnet', 27_798_862, 27_799_583],
    ['testnet', 27_799_583, 27_804_650],
    ['testnet', 27_804_650, 27_805_367],
  ] as const
  const signedHeaders = pairs.map(([network, from, to]) => {
    const file = `recorded/${network}_key_${to}.json`
    const { recorded, id, signatures } = readSigned<SignedHeader>(file)
    const rules = rulesOfKeyBlock(network, from)
    const answer = { id, mode: 1, headerProof: fromBase64(recorded.header_proof), signatures }
    return proofCase(file, answer, (changed) =>
      verifyRecorded(verifyBlockHeader(id, { mode: 1 }, changed), rules, changed.signatures),
    )
  })
  const headers = ['fastnet_key_850663', 'testnet_key_27798862'].map((name) => {
    const { recorded, id } = readSigned<SignedHeader>(`recorded/${name}.json`)
    const answer = { id, mode: 1, headerProof: fromBase64(recorded.header_proof) }
    return proofCase(`recorded/${name}.json (header)`, answer, (changed) => verifyBlockHeader(id, { mode: 1 }, changed))
  })
  const file = 'recorded/testnet_signatures_27632171.json'
  const { id, signatures } = readSigned<RecordedSignatures>(file)
  const rules = rulesOfKeyBlock('testnet', 27_631_456)
  const data = readFixture('mainnet/blocks/testnet/-1_8000000000000000_27632171.boc')
  const signedBlock = proofCase(file, { data, signatures }, (changed) =>
    verifyRecorded(verifyBlockBytes(id, changed.data), rules, changed.signatures),
  )
  return [...signedHeaders, ...headers, signedBlock]
}

type RecordedPage = {
  readonly id: { readonly seqno: number; readonly rootHash: string; readonly fileHash: string }
  readonly reqCount: number
  readonly incomplete: boolean
  readonly ids: readonly { readonly account: string; readonly lt: string; readonly hash: string }[]
  readonly proof: string
}

export const transactionPages = (): AnyProofCase[] =>
  [27_683_263, 27_689_757, 27_885_753, 27_885_755].map((seqno) => {
    const file = `recorded/testnet_listBlockTransactions_${seqno}.json`
    const page = readFixtureJson<RecordedPage>(`${FOLDER}/${file}`)
    const id = idOf({ virtual_hash: page.id.rootHash, seqno }, fromHex(page.id.fileHash))
    const question = { mode: 39, count: page.reqCount }
    const answer: LiteServerBlockTransactions = {
      id,
      reqCount: page.reqCount,
      incomplete: page.incomplete,
      ids: page.ids.map(({ account, lt, hash }) => ({
        mode: question.mode,
        account: fromHex(account),
        lt: BigInt(lt),
        hash: fromHex(hash),
      })),
      proof: fromBase64(page.proof.replace('base64:', '')),
    }
    return proofCase(file, answer, (changed) => verifyBlockTransactions(id, question, changed))
  })

export const tlAnswers = (): AnyProofCase[] => {
  const config = tlFunctions['liteServer.getConfigAll'].decodeResult(
    readFixture(`${FOLDER}/tl/configInfo_26309435.bin`),
  )
  const r = new TlReader(readFixture(`${FOLDER}/tl/pytoniq-1.bin`))
  r.expectId(tlIds['adnl.message.answer'], 'adnl.message.answer')
  const shards = tlFunctions['liteServer.getAllShardsInfo'].decodeResult(tlRows['adnl.message.answer'].read(r).answer)
  return [
    proofCase('tl/configInfo_26309435.bin', config, (changed) => verifyConfig(config.id, { mode: 0 }, changed)),
    proofCase('tl/pytoniq-1.bin', shards, (changed) => verifyAllShards(shards.id, changed)),
  ]
}

/** Answers about accounts: one with its state, and what proofs of others can show without theirs. */
export const accountAnswers = (): AnyProofCase[] => {
  const entries = readFixtureJson<Entry[]>(`${FOLDER}/index.json`)
  const readProof = (name: string): { readonly bytes: Uint8Array; readonly id: BlockIdExt } => {
    const file = `proofs/account-proof_${name}.boc`
    const { roots } = entries.find((entry) => entry.file === file)!
    return { bytes: readFixture(`${FOLDER}/${file}`), id: idOf(roots![0]!) }
  }
  const recorded = readFixtureJson<{ readonly account: string; readonly state: string; readonly proof: string }>(
    `${FOLDER}/accounts/testnet_0_e33ed33a42eb.json`,
  )
  const { workchain, hash } = parseAddress(recorded.account)
  const { id } = readProof('account-test_fad3abfd')
  const answer = {
    id,
    shardblk: id,
    shardProof: NO_BYTES,
    proof: fromBase64(recorded.proof),
    state: fromBase64(recorded.state),
  }
  const masterchain = readProof('account-test_2693fbad')
  const basechain = readProof('account-test_fad3abfd')
  const reference = readProof('verifying-liteserver-proofs_4587cfaa')
  const { shardHashes } = openMasterExtra(unwrapStatePair('a shard', reference.id, reference.bytes, false).state)
  const shard = findRegisteredShard(shardHashes, visibleShards(shardHashes)[0]!)!.id
  const inShard = readProof('verifying-liteserver-proofs_2b4d8c86').bytes
  return [
    proofCase('accounts/testnet_0_e33ed33a42eb.json', answer, (changed) =>
      verifyAccountState(id, { account: { workchain, id: hash } }, changed),
    ),
    locatedCase('account-test_2693fbad', masterchain.id, masterchain.id, NO_BYTES, masterchain.bytes),
    locatedCase('account-test_fad3abfd', basechain.id, basechain.id, NO_BYTES, basechain.bytes),
    locatedCase('verifying-liteserver-proofs (2 files)', reference.id, shard, reference.bytes, inShard),
  ]
}

/** The account that a proof holds is found in it, as the question was not recorded. */
const locatedCase = (
  name: string,
  id: BlockIdExt,
  shardblk: BlockIdExt,
  shardProof: Uint8Array,
  proof: Uint8Array,
): AnyProofCase => {
  const { accounts } = unwrapStatePair('an account', shardblk, proof, false).state
  const [account] = visibleKeys(openShardAccounts(accounts).root, 256)
  return proofCase(`proofs/account-proof_${name}`, { id, shardblk, shardProof, proof }, (changed) => {
    const found = locateAccount(id, { workchain: shardblk.workchain, id: account! }, changed, false)
    if (found.entry === undefined) throw new Error('The account is in the proof.')
    return found
  })
}

/** Proofs of parts of blocks, from many hands: what each holds decides what it can prove. */
export const blockProofs = (): AnyProofCase[] => {
  const entries = readFixtureJson<Entry[]>(`${FOLDER}/index.json`).filter(({ content }) => content === 'block-proof')
  return entries.flatMap(({ file, roots }) => {
    const data = readFixture(`${FOLDER}/${file}`)
    const id = idOf(roots![0]!)
    const inner = unwrapProof('a block', data, id.rootHash, false)
    const block = openBlock(inner)
    const cases: AnyProofCase[] = []
    if (!isPruned(block.info)) {
      const mode = block.stateUpdate.exoticType === MERKLE_UPDATE ? 1 : 0
      const answer = { id, mode, headerProof: data }
      cases.push(proofCase(`${file} (header)`, answer, (changed) => verifyBlockHeader(id, { mode }, changed)))
    }
    if (isPruned(block.extra)) return cases
    const extra = openBlockExtra(block.extra)
    if (!isPruned(extra.accountBlocks)) cases.push(...transactionProofs(file, id, data, inner))
    if (extra.custom !== undefined && !isPruned(extra.custom) && !isPruned(extra.custom.ref(0))) {
      cases.push(...shardProofs(file, id, data, inner))
    }
    return cases
  })
}

const isPruned = (cell: Cell): boolean => cell.exoticType === PRUNED_BRANCH

const transactionProofs = (file: string, id: BlockIdExt, proof: Uint8Array, inner: Cell): AnyProofCase[] => {
  const accounts = openAccountBlocks(openBlockExtra(openBlock(inner).extra))
  return visibleKeys(accounts.root, 256).flatMap((account) => {
    const { transactions } = accounts.find(account)!
    const lts: bigint[] = []
    try {
      transactions.forEach((lt, cell) => void (cell.levelMask === 0 && lts.push(lt)))
    } catch {
      // What is pruned ends the walk; the transactions that the proof is about come before it in these files.
    }
    return lts.map((lt) => {
      const place = { ...id, workchain: 0, shard: wholeShard }
      const answer = { id: place, proof, transaction: encodeBoc([transactions.find(lt)!]) }
      const question = { account: { workchain: 0, id: account }, lt }
      return proofCase(`${file} (transaction ${lt})`, answer, (changed) => verifyTransaction(place, question, changed))
    })
  })
}

const shardProofs = (file: string, id: BlockIdExt, proof: Uint8Array, inner: Cell): AnyProofCase[] => {
  const { shardHashes } = openMasterBlockExtra(inner)
  return visibleShards(shardHashes).map((shard) => {
    const found = findRegisteredShard(shardHashes, shard)!
    const answer = { masterchainId: id, links: [{ id: found.id, proof }] }
    const name = `${file} (shard block ${found.id.seqno})`
    return proofCase(name, answer, (changed) => verifyShardBlock(id, { id: found.id }, changed))
  })
}

/** The state before a large block, as far as that block needed it. */
export const stateProof = (): AnyProofCase => {
  const file = 'proofs/state-proof_tvm-replay-fat-block-66519406_0a241331.boc'
  const block = decodeBoc(readFixture('mainnet/blocks/mainnet/0_8000000000000000_71398501.boc'))[0]!
  const stateHash = readMerkleUpdate(openBlock(block).stateUpdate).before.hash(0)
  return proofCase(file, { data: readFixture(`${FOLDER}/${file}`) }, ({ data }) =>
    readState(unwrapProof('a state', data, stateHash, false)),
  )
}

export const mainnetProofs = (): AnyProofCase[] => [
  ...nodeProofs(),
  ...signedKeyBlocks(),
  ...transactionPages(),
  ...tlAnswers(),
  ...accountAnswers(),
  ...blockProofs(),
  stateProof(),
]
