import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { readWhole } from '../../src/codec/cell/wholeCell.ts'
import { readBlockSignatures } from '../../src/codec/tlb/BlockSignatures.ts'
import { verifyBlockBytes } from '../../src/node/proofs/blockProofs.ts'
import { verifyPackageLink } from '../../src/node/proofs/chainProofs.ts'
import type { ProvenHeader } from '../../src/node/proofs/ProvenHeader.ts'
import { openMasterExtra, readState } from '../../src/node/proofs/ProvenState.ts'
import { verifySignedBlock } from '../../src/node/proofs/signatures.ts'
import {
  readSigningRules,
  type SigningRules,
  validatorListHash,
  validatorSubset,
} from '../../src/node/proofs/validatorSets.ts'
import { parseBlockIdExt } from '../../src/primitives/BlockId.ts'
import { wholeShard } from '../../src/primitives/shard.ts'
import { haveFixtures, listFixtures, readFixture } from '../support/fixtures.ts'
import * as recorded from '../support/mainnetProofs.ts'
import type { AnyProofCase } from '../support/ProofCase.ts'
import { type PackEntry, packEntries } from '../support/packEntries.ts'
import { signatureSetOfPackage, verifyPackageProof } from '../support/proofs/blockAnswers.ts'
import { Tally } from '../support/rewriteBlock.ts'

const MASTERCHAIN = { workchain: -1, shard: wholeShard }

const rulesOfZerostate = (path: string): SigningRules =>
  readSigningRules(0, openMasterExtra(readState(decodeSingleBoc(readFixture(path)))).config.config)

test('proofs of the main and test networks verify', (t) => {
  if (!haveFixtures(t, 'mainnet/liteserver') || !haveFixtures(t, 'mainnet/blocks')) return
  const groups: Record<string, readonly [cases: AnyProofCase[], count: number]> = {
    'signed block proofs': [recorded.nodeProofs(), 20],
    'key blocks': [recorded.signedKeyBlocks(), 7],
    'pages of transactions': [recorded.transactionPages(), 4],
    'TL answers': [recorded.tlAnswers(), 2],
    accounts: [recorded.accountAnswers(), 4],
    'parts of blocks': [recorded.blockProofs(), 19],
    states: [[recorded.stateProof()], 1],
  }
  for (const [group, [cases, count]] of Object.entries(groups)) {
    for (const { name, answer, verify } of cases) assert.doesNotThrow(() => verify(answer), name)
    assert.equal(cases.length, count, group)
    t.diagnostic(`${group}: ${count}`)
  }
})

test('the validators of the first zerostate have the published hash', (t) => {
  if (!haveFixtures(t, 'mainnet/states')) return
  const rules = rulesOfZerostate('mainnet/states/mainnet/zerostate_-1.boc')
  assert.equal(validatorListHash(validatorSubset(rules, MASTERCHAIN, 0), 0), 2_847_422_614)
})

/** Whether a block was made by those whom the rules pick for its shard and session. */
const namesItsMakers = ({ id, info }: ProvenHeader, rules: SigningRules): boolean => {
  const nodes = validatorSubset(rules, id, info.genCatchainSeqno)
  return validatorListHash(nodes, info.genCatchainSeqno) === info.genValidatorListHashShort
}

/** Checks every entry of a package; the rules of key blocks are added as they come. */
const verifyPackage = (entries: Iterable<PackEntry>, known: Map<number, SigningRules>, tally: Tally): void => {
  for (const { name, data } of entries) {
    const [, kind, text] = /^([a-z]+)_(.*)$/.exec(name) ?? []
    if (text === undefined) continue
    const id = parseBlockIdExt(text)
    if (kind === 'block') {
      const block = verifyBlockBytes(id, data)
      tally.add('block')
      const rules = known.get(block.info.prevKeyBlockSeqno)
      if (rules !== undefined) {
        assert.ok(namesItsMakers(block, rules), name)
        tally.add(id.workchain === -1 ? 'masterchain validator set' : 'shard validator set')
      }
    } else if (kind === 'prooflink') {
      verifyPackageLink(id, data)
      tally.add('prooflink')
    } else if (kind === 'proof') {
      const link = verifyPackageLink(id, data)
      const rules = known.get(link.info.prevKeyBlockSeqno)
      if (rules === undefined) {
        tally.add('proof, signers not known')
        continue
      }
      const { nextRules, isSessionKnown } = verifyPackageProof(id, data, rules)
      if (nextRules !== undefined) known.set(id.seqno, nextRules)
      tally.add('proof')
      if (isSessionKnown === true) tally.add('session')
    }
  }
}

test('packages of the main network', (t) => {
  if (!haveFixtures(t, 'mainnet/archives') || !haveFixtures(t, 'mainnet/states')) return
  const tally = new Tally()
  const known = new Map([[0, rulesOfZerostate('mainnet/states/mainnet/zerostate_-1.boc')]])
  for (const name of ['archive.00000.pack', 'archive.00000.0_8000000000000000.pack']) {
    verifyPackage(packEntries(readFixture(`mainnet/archives/mainnet/${name}`)), known, tally)
  }
  t.diagnostic(tally.toString())
  assert.deepEqual(Object.fromEntries(tally.counts), {
    block: 299,
    'masterchain validator set': 99,
    proof: 99,
    prooflink: 200,
    'shard validator set': 200,
  })
})

test('packages of a network with simplex consensus', (t) => {
  const tally = new Tally()
  const known = new Map([[0, rulesOfZerostate('localnet/config/zerostate.boc')]])
  const files = listFixtures('localnet/node-db', '.pack').map((name) => ({ name, data: readFixture(name) }))
  const archives = files.filter(({ name }) => name.includes('/arch0000/'))
  // Those of the masterchain first: they bring the rules for the blocks of the shards.
  for (const ofShards of [false, true]) {
    for (const { name, data } of archives) {
      if (name.includes('.0_') === ofShards) verifyPackage(packEntries(data), known, tally)
    }
  }

  const headers = new Map<string, ProvenHeader>()
  for (const { name, data } of files.filter((file) => file.name.includes('temp.archive'))) {
    for (const entry of packEntries(data)) {
      const [, kind, text] = /^([a-z]+)_(.*)$/.exec(entry.name) ?? []
      if (text === undefined) continue
      if (kind === 'block') headers.set(text, verifyBlockBytes(parseBlockIdExt(text), entry.data))
      if (kind !== 'signatures') continue
      const header = headers.get(text)
      const rules = header && known.get(header.info.prevKeyBlockSeqno)
      if (header === undefined || rules === undefined) {
        tally.add('signatures, block or signers not known')
        continue
      }
      const cell = decodeSingleBoc(entry.data)
      const set = signatureSetOfPackage(readWhole(cell, readBlockSignatures, 'A BlockSignatures'))
      assert.equal(verifySignedBlock(header, rules, set).isSessionKnown, true, `${name} ${text}`)
      tally.add(header.id.workchain === -1 ? 'masterchain signatures' : 'shard signatures')
    }
  }
  t.diagnostic(tally.toString())
  assert.deepEqual(Object.fromEntries(tally.counts), {
    block: 1789,
    'masterchain validator set': 470,
    proof: 470,
    session: 470,
    'shard validator set': 1319,
    prooflink: 1319,
    'masterchain signatures': 470,
    'shard signatures': 1320,
  })
})
