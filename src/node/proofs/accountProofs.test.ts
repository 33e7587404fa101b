import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { answerAccountState, statePair } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { verifyMethodRun, verifyPrunedAccountState } from '../../../test/support/proofs/accountAnswers.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import { uninitAccount } from '../../../test/support/sampleState.ts'
import { ProofFailedError } from '../../chain/errors.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { PrunedBranchError } from '../../codec/cell/errors.ts'
import { wrapMerkleProof } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { writeAccount } from '../../codec/tlb/Account.ts'
import { openShardAccounts, type ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { findShardOfAccount } from '../../codec/tlb/ShardHashes.ts'
import { verifyAccountState } from './accountProofs.ts'
import { openMasterExtra } from './ProvenState.ts'
import { ShardProofs } from './shardProofs.ts'

const entry = (byte: number): readonly [Uint8Array, ShardAccount] => [
  filled(byte),
  {
    account: writeWhole(writeAccount, { ...uninitAccount, lastTransLt: BigInt(byte) }),
    lastTransHash: filled(0x77),
    lastTransLt: BigInt(1000 + byte),
  },
]

const chain = new ProvableChain()
const accounts = [0x10, 0x20, 0x30, 0xf0].map(entry)
const shard = chain.addShardBlock({ accounts })
const older = chain.addMasterchainBlock()
const reference = chain.addMasterchainBlock(false, { accounts: [entry(0x44)] })
const account = { workchain: 0, id: filled(0x20) }
const answer = answerAccountState(reference, shard, account)
const NO_BYTES = new Uint8Array(0)
const NO_BLOCK = {
  workchain: -0x8000_0000,
  shard: 0n,
  seqno: 0,
  rootHash: new Uint8Array(32),
  fileHash: new Uint8Array(32),
}

test('an account in a shard', () => {
  const proven = verifyAccountState(reference.id, { account }, answer)
  assert.ok(proven.kind === 'found')
  assert.deepEqual(proven.account.hash(), accounts[1]![1].account.hash())
  assert.deepEqual(
    { ...proven, account: undefined },
    {
      kind: 'found',
      account: undefined,
      block: reference.id,
      shardBlock: shard.id,
      genUtime: 1_700_000_001,
      genLt: 1_000_010n,
      lastTransLt: 1032n,
      lastTransHash: filled(0x77),
    },
  )
})

test('an account is proven in full against a header that was checked before', () => {
  const proofs = new ShardProofs()
  const read = (proof: Uint8Array, known: ShardProofs) => {
    const state = verifyAccountState(reference.id, { account }, { ...answer, proof }, false, known)
    return state.kind === 'found'
      ? [state.shardBlock, state.genLt, state.lastTransLt, state.lastTransHash, state.account.hash()]
      : []
  }
  const first = read(answer.proof, proofs)
  assert.equal(first.length, 5)
  let refused = 0
  for (let at = 0; at < answer.proof.length; at++) {
    const changed = answer.proof.slice()
    changed[at]! ^= 1
    // What is taken all the same was changed in the header, which is not read again.
    try {
      assert.deepEqual(read(changed, proofs), first, `byte ${at}`)
    } catch (error) {
      assert.ok(error instanceof ProofFailedError, `byte ${at}: ${error}`)
      refused++
    }
    assert.throws(() => read(changed, new ShardProofs()), ProofFailedError, `byte ${at}, without a header`)
  }
  assert.ok(refused > answer.proof.length / 4, `${refused} of ${answer.proof.length}`)
})

test('a pruned state is proven by its own proof', () => {
  const cell = accounts[1]![1].account
  const pruned = { ...answer, state: encodeBoc([wrapMerkleProof(cell)]) }
  const proven = verifyPrunedAccountState(reference.id, { account }, pruned)
  assert.ok(proven.kind === 'found')
  assert.deepEqual(proven.account.hash(0), cell.hash())
  assertRefused(() => verifyAccountState(reference.id, { account }, pruned), /differs from the proven one/)
  assertRefused(() => verifyPrunedAccountState(reference.id, { account }, answer), /Expected a Merkle proof/)
})

test('accounts of the masterchain, and of the block itself', () => {
  const own = { workchain: -1, id: filled(0x44) }
  const inMasterchain = answerAccountState(reference, reference, own)
  assert.equal(verifyAccountState(reference.id, { account: own }, inMasterchain).kind, 'found')
  const byShard = answerAccountState(shard, shard, account)
  const proven = verifyAccountState(shard.id, { account }, byShard)
  assert.deepEqual([proven.kind, proven.block, proven.shardBlock], ['found', shard.id, shard.id])
  assertRefused(
    () => verifyAccountState(shard.id, { account }, { ...byShard, shardProof: answer.shardProof }),
    /should be empty/,
  )
  const abroad = { workchain: 1, id: account.id }
  assertRefused(() => verifyAccountState(shard.id, { account: abroad }, byShard), /says nothing of workchain 1/)
})

test('absence is proven by the whole path, and not by a pruned one', () => {
  const absent = { workchain: 0, id: filled(0x21) }
  const proven = verifyAccountState(reference.id, { account: absent }, answerAccountState(reference, shard, absent))
  assert.deepEqual([proven.kind, proven.shardBlock], ['absent', shard.id])
  // The proof of another account, as if this one were not there.
  const other = answerAccountState(reference, shard, { workchain: 0, id: filled(0xf0) })
  assert.throws(
    () => verifyAccountState(reference.id, { account }, { ...other, state: NO_BYTES }),
    (error) => error instanceof ProofFailedError && error.cause instanceof PrunedBranchError,
  )
  assertRefused(
    () => verifyAccountState(reference.id, { account }, { ...answer, state: NO_BYTES }),
    /its state is missing from the answer/,
  )
  assertRefused(
    () =>
      verifyAccountState(
        reference.id,
        { account: absent },
        { ...answerAccountState(reference, shard, absent), state: answer.state },
      ),
    /proven absent should be empty/,
  )
})

test('a workchain that does not exist', () => {
  const abroad = { workchain: 5, id: filled(0x20) }
  const shardProof = statePair(reference, (state) =>
    findShardOfAccount(openMasterExtra(state).shardHashes, 5, 0x2020202020202020n),
  )
  const nowhere = { id: reference.id, shardblk: NO_BLOCK, shardProof, proof: NO_BYTES, state: NO_BYTES }
  const proven = verifyAccountState(reference.id, { account: abroad }, nowhere)
  assert.deepEqual(proven, {
    kind: 'absent',
    block: reference.id,
    shardBlock: undefined,
    genUtime: 1_700_000_002,
    genLt: 2_000_010n,
  })
  assertRefused(
    () => verifyAccountState(reference.id, { account: abroad }, { ...nowhere, shardblk: shard.id }),
    /does not exist, but the answer has a block of it/,
  )
  // The other way round: a workchain that is there, said to be not.
  const denied = { ...nowhere, shardProof: answer.shardProof }
  assertRefused(() => verifyAccountState(reference.id, { account }, denied), /shard block .* should be block/)
})

test('what contradicts the trusted block is refused', () => {
  const elsewhere = answerAccountState(older, shard, account)
  const otherShard = { ...shard.id, fileHash: filled(1) }
  const lies: [change: Partial<typeof answer>, message: RegExp][] = [
    [{ id: older.id }, /reference block .* should be block/],
    [{ shardblk: otherShard }, /shard block .* should be block/],
    [{ shardProof: elsewhere.shardProof }, /of another cell than the expected one/],
    [{ shardProof: NO_BYTES }, /was not given/],
    [{ proof: answer.shardProof }, /of another cell than the expected one/],
    [{ proof: encodeBoc([wrapMerkleProof(shard.root)]) }, /Expected 2 roots .* but got 1/],
    [{ state: encodeBoc([marker(1)]) }, /differs from the proven one/],
    [{ state: Uint8Array.of(1, 2, 3) }, /The proof of an account state failed/],
  ]
  for (const [change, message] of lies) {
    assertRefused(() => verifyAccountState(reference.id, { account }, { ...answer, ...change }), message)
  }
})

test('a method ran on the proven account, whatever it says came of it', () => {
  const { shardProof, proof } = answer
  const cell = accounts[1]![1].account
  const about = { mode: 7, id: reference.id, shardblk: shard.id, exitCode: 0, result: Uint8Array.of(1) }
  const stateProof = encodeBoc([wrapMerkleProof(cell)])
  const run = verifyMethodRun(reference.id, { account }, { ...about, shardProof, proof, stateProof })
  assert.deepEqual(run.account?.hash(0), cell.hash())
  assert.deepEqual(run.unproven, { exitCode: 0, result: Uint8Array.of(1), initC7: undefined })
  assertRefused(() => verifyMethodRun(reference.id, { account }, about), /mode bits 0 and 1/)
  const other = encodeBoc([wrapMerkleProof(marker(3))])
  assertRefused(
    () => verifyMethodRun(reference.id, { account }, { ...about, shardProof, proof, stateProof: other }),
    /of another cell/,
  )
  const absent = { workchain: 0, id: filled(0x21) }
  const gone = answerAccountState(reference, shard, absent)
  const ran = { ...about, shardProof: gone.shardProof, proof: gone.proof, stateProof: NO_BYTES }
  assertRefused(() => verifyMethodRun(reference.id, { account: absent }, ran), /proven absent, but its method ran/)
  const refused = verifyMethodRun(reference.id, { account: absent }, { ...ran, exitCode: -256 })
  assert.equal(refused.account, undefined)
})

test('the root of the accounts is enough to show that a state has none', () => {
  const empty = chain.addShardBlock()
  const proof = statePair(empty, (state) => openShardAccounts(state.accounts).find(account.id))
  const none = { id: empty.id, shardblk: empty.id, shardProof: NO_BYTES, proof, state: NO_BYTES }
  assert.equal(verifyAccountState(empty.id, { account }, none).kind, 'absent')
})
