import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused } from '../../../test/support/assertRefused.ts'
import { proofOf, stateRootProof } from '../../../test/support/chainProofs.ts'
import { ProvableChain } from '../../../test/support/ProvableChain.ts'
import { verifyValidatorStats } from '../../../test/support/proofs/blockAnswers.ts'
import { filled, marker } from '../../../test/support/sampleMessages.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { PrunedBranchError } from '../../codec/cell/errors.ts'
import { wrapMerkleProof } from '../../codec/cell/merkle.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { type ConfigDict, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { verifyConfig } from './configProofs.ts'
import { openMasterBlockExtra } from './ProvenHeader.ts'
import { openMasterExtra, readState } from './ProvenState.ts'

const chain = new ProvableChain()
const keyBlock = chain.addMasterchainBlock(true)
const block = chain.addMasterchainBlock()
const NO_BYTES = new Uint8Array(0)
const stateProof = encodeBoc([stateRootProof(block)])

const configProof = (read: (config: ConfigDict) => void): Uint8Array =>
  encodeBoc([proofOf(block.state, () => read(openMasterExtra(readState(block.state)).config.config))])

test('parameters that were asked for, from the state', () => {
  const proof = configProof((config) => void findConfigParam(config, 28))
  const answer = { mode: 0, id: block.id, stateProof, configProof: proof }
  const { params } = verifyConfig(block.id, { mode: 0, paramList: [28] }, answer)
  assert.deepEqual(params.configAddr, filled(0x55))
  assert.equal(findConfigParam(params.config, 28)?.shardValidatorsNum, 3)
  assert.equal(params.config.find(29), undefined)
  // The set of validators has parts, which this proof does not hold: not even its cell is given out.
  assert.throws(() => params.config.find(34), PrunedBranchError)
  assertRefused(() => verifyConfig(block.id, { mode: 0, paramList: [28, 34] }, answer), /pruned branch/)
  assertRefused(() => verifyConfig(block.id, { mode: 0 }, answer), /pruned branch/)
  assertRefused(() => verifyConfig(keyBlock.id, { mode: 0, paramList: [28] }, answer), /should be block/)
})

test('all parameters', () => {
  const whole = { mode: 0, id: block.id, stateProof, configProof: encodeBoc([wrapMerkleProof(block.state)]) }
  const { params } = verifyConfig(block.id, { mode: 0 }, whole)
  assert.deepEqual(
    params.config.entries().map(([id]) => id),
    [28, 34, 99],
  )
  assert.deepEqual(params.config.find(99)?.hash(), marker(99).hash())
})

test('from a key block', () => {
  const proof = encodeBoc([
    proofOf(keyBlock.root, () => {
      openBlockInfo(openBlock(keyBlock.root).info)
      findConfigParam(openMasterBlockExtra(keyBlock.root).config!.config, 28)
    }),
  ])
  const request = { mode: 0x8000, paramList: [28] }
  const answer = { mode: 0x8000, id: keyBlock.id, stateProof: NO_BYTES, configProof: proof }
  const { block: from, params } = verifyConfig(keyBlock.id, request, answer)
  assert.deepEqual(from, keyBlock.id)
  assert.equal(findConfigParam(params.config, 28)?.shardValidatorsNum, 3)
  assertRefused(() => verifyConfig(keyBlock.id, request, { ...answer, stateProof }), /should be empty/)
  const plain = { ...answer, id: block.id, configProof: encodeBoc([wrapMerkleProof(block.root)]) }
  assertRefused(() => verifyConfig(block.id, request, plain), /is not one/)
})

test('validator statistics, from the start or from a key on', () => {
  const dataProof = encodeBoc([
    proofOf(block.state, () => {
      const { history } = openMasterExtra(readState(block.state))
      openMcStateHistory(history).blockCreateStats?.creators.forEach(() => {})
    }),
  ])
  const ask = (mode: number, limit: number, start: number | undefined, count: number, complete: boolean) => {
    const request = start === undefined ? { mode, limit } : { mode, limit, startAfter: filled(start) }
    const answer = { mode, id: block.id, count, complete, stateProof, dataProof }
    return verifyValidatorStats(block.id, request, answer).creators.map(({ creator }) => creator[0])
  }
  assert.deepEqual(ask(0, 10, undefined, 4, true), [0, 1, 2, 3])
  assert.deepEqual(ask(0, 4, undefined, 4, false), [0, 1, 2, 3])
  assert.deepEqual(ask(0, 2, undefined, 2, false), [0, 1])
  assert.deepEqual(ask(1, 10, 1, 2, true), [2, 3])
  assert.deepEqual(ask(3, 10, 1, 3, true), [1, 2, 3])
  assert.deepEqual(ask(3, 1, 1, 1, false), [1])
  assert.deepEqual(ask(1, 10, 3, 0, true), [])
  assertRefused(() => ask(0, 10, undefined, 3, true), /4 validators for a page, 3/)
  assertRefused(() => ask(0, 4, undefined, 4, true), /4 validators/)
})
