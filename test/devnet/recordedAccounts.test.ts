import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { decodeBoc, decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { PRUNED_BRANCH } from '../../src/codec/cell/exotic.ts'
import { decodeLiteAnswer, type LiteFunctionName } from '../../src/codec/tl/liteQuery.ts'
import type { TlResults } from '../../src/codec/tl/tlTypes.ts'
import { readVmStackValue } from '../../src/codec/tlb/VmStack.ts'
import type { VmValue } from '../../src/codec/tlb/VmValue.ts'
import { accountFunctions } from '../../src/devnet/liteserver/Liteserver.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { bytesEqual } from '../../src/primitives/bytes.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { type ComparedPair, compareRecorded } from '../support/compareRecorded.ts'
import { describeFacts } from '../support/describeFacts.ts'
import { openGrowingChain } from '../support/growingChain.ts'
import { findProofCase } from '../support/liteProofs.ts'
import { createLiteserverContext } from '../support/liteserverContext.ts'
import { LocalnetTrust } from '../support/localnetTrust.ts'
import type { AnyProofCase } from '../support/ProofCase.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/**
 * What a node does not enter in a state it prunes, unless it has read that cell before and still has it: then one without
 * references stands whole. We have none such.
 */
const READ_BEFORE = new Set([
  '019-getAccountState-wallet-v3',
  '020-getAccountStatePrunned-wallet-v3',
  '028-getAccountState-uninit',
  '034-getAccountState-shard-block',
  '037-runSmcMethod-seqno-mode7',
  '038-runSmcMethod-seqno-mode31',
  '113-getLibrariesWithProof-both',
])

/** The newest masterchain block that the node had when it was asked. */
const HEAD = 421

const openContext = async (t: TestContext) => {
  const vm = await createVirtualMachine({ logger, workers: 1 })
  t.after(() => vm.close())
  const { store, growTo } = await openGrowingChain(t, 'localnet')
  await growTo(HEAD)
  return createLiteserverContext(store, vm)
}

const decode = ({ kind, recorded, answer }: ComparedPair) => {
  assert.ok(answer.ok)
  const ours = decodeLiteAnswer(kind, answer.bytes)
  const theirs = decodeLiteAnswer(kind, recorded)
  assert.ok(ours.ok && theirs.ok)
  return { ours: ours.result, theirs: theirs.result }
}

/** Equal trees, but for cells without references that are pruned in the first and stand whole in the second. */
const assertSameButLeaves = (ours: Cell, theirs: Cell): void => {
  if (ours.equals(theirs)) return
  if (ours.exoticType === PRUNED_BRANCH) {
    assert.ok(theirs.refCount === 0 && ours.hasHash(theirs.hash(0), 0))
    return
  }
  assert.equal(ours.refCount, theirs.refCount)
  assert.ok(ours.hasHash(theirs.hash(0), 0) || ours.isExotic)
  for (let k = 0; k < ours.refCount; k++) assertSameButLeaves(ours.ref(k), theirs.ref(k))
}

/** All but the seed, which is another one for every run. */
const assertSameC7 = (ours: Uint8Array, theirs: Uint8Array): void => {
  const SEED = 6
  const strip = (bytes: Uint8Array) => describeFacts(readC7(bytes).toSpliced(SEED, 1))
  assert.equal(ours.length, theirs.length)
  assert.equal(strip(ours), strip(theirs))
}

const readC7 = (bytes: Uint8Array): readonly VmValue[] => {
  const c7 = readVmStackValue(openCell(decodeSingleBoc(bytes)))
  assert.ok(c7.kind === 'tuple' && c7.items[0]?.kind === 'tuple')
  return c7.items[0].items
}

const assertSameContent = (pair: ComparedPair): void => {
  const { ours, theirs } = decode(pair)
  for (const [field, value] of Object.entries(theirs)) {
    const own: unknown = ours[field as keyof TlResults[LiteFunctionName]]
    if (field === 'initC7') {
      assertSameC7(own as Uint8Array, value as Uint8Array)
      continue
    }
    if (!(value instanceof Uint8Array) || !(own instanceof Uint8Array) || bytesEqual(value, own)) {
      assert.deepEqual(own, value, field)
      continue
    }
    const roots = decodeBoc(value)
    const ownRoots = decodeBoc(own)
    assert.equal(ownRoots.length, roots.length)
    for (const [k, root] of roots.entries()) assertSameButLeaves(ownRoots[k]!, root)
  }
}

/** What the client finds in an answer; c7 is compared by itself. */
const factsOf = ({ verify, answer }: AnyProofCase): string =>
  describeFacts(verify(answer)).replace(/"initC7":"[0-9a-f]*"/, '"initC7":""')

/** The check of the client, which finds the same facts in both answers. */
const assertSameFacts = ({ name, request, recorded, answer }: ComparedPair, trust: LocalnetTrust): void => {
  assert.ok(answer.ok)
  const theirs = findProofCase(name, request, recorded, trust)
  const ours = findProofCase(name, request, answer.bytes, trust)
  assert.ok(ours !== undefined && theirs !== undefined)
  assert.equal(factsOf(ours), factsOf(theirs))
}

describe('recorded questions about accounts, transactions, libraries and queues', () => {
  it('get the answers of the real node', async (t) => {
    const context = await openContext(t)
    const pairs = await compareRecorded(accountFunctions, context)
    const trust = new LocalnetTrust()
    const counts = { bytes: 0, content: 0, errors: 0 }
    for (const pair of pairs) {
      const { name, outcome } = pair
      if (outcome === 'equal bytes') counts.bytes++
      else if (outcome === 'equal error') counts.errors++
      else {
        assert.ok(READ_BEFORE.has(name), `${name} gets another answer than the recorded one`)
        assertSameContent(pair)
        assertSameFacts(pair, trust)
        counts.content++
      }
    }
    assert.equal(pairs.length, 74)
    assert.deepEqual(counts, { bytes: 65, content: 7, errors: 2 })
    t.diagnostic(
      `${counts.bytes} equal bytes, ${counts.content} equal content (the node had read some cells before, ` +
        `which stand whole in its proofs, and one has its own random seed), ${counts.errors} errors equal, 0 not comparable`,
    )
  })
})
