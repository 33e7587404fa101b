import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BlockSignatures } from '../../src/codec/tlb/BlockSignatures.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { formatBlockId } from '../../src/primitives/BlockId.ts'
import { alterStep } from '../support/chainMutations/alterStep.ts'
import { headers } from '../support/chainMutations/headers.ts'
import { busy, enrich, flip, type Mutation, master, more } from '../support/chainMutations/Mutation.ts'
import { masterchainRules } from '../support/chainMutations/masterchainRules.ts'
import { messages } from '../support/chainMutations/messages.ts'
import { money } from '../support/chainMutations/money.ts'
import { queues } from '../support/chainMutations/queues.ts'
import { transactions } from '../support/chainMutations/transactions.ts'
import type { ChainMemory } from '../support/chainRules/ChainMemory.ts'
import { sourceOf, stepOf } from '../support/chainRules/checkChain.ts'
import { checkStep, StepChecker } from '../support/chainRules/checkStep.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'

const families = { headers, transactions, messages, queues, money, masterchain: masterchainRules }

/** What is found about one block of an altered step, by the rules with a developer's controls allowed. */
const findWithControls = (
  store: ChainStore,
  [seqno, picks]: Mutation['at'],
  change: Mutation['change'],
): { readonly memory: ChainMemory; readonly violations: readonly string[] } => {
  const step = stepOf(store, seqno)
  const name = formatBlockId([...step.shardBlocks, step.master].find(picks)!.id)
  const altered = alterStep(step, sourceOf(store), picks, change)
  const checker = new StepChecker(altered.source, { allowDevControls: true })
  const { violations } = checker.check(altered.step)
  return { memory: checker.memory, violations: violations.filter((text) => text.startsWith(`Block ${name}, `)) }
}

describe('the rules of the chain, broken one at a time', () => {
  for (const [family, mutations] of Object.entries(families)) {
    it(`complain about ${mutations.length} changes: ${family}`, async () => {
      const store = await loadLocalnetStore()
      const source = sourceOf(store)
      for (const {
        name,
        at: [seqno, picks],
        change,
        complains,
      } of mutations) {
        const { step, source: altered } = alterStep(stepOf(store, seqno), source, picks, change)
        const violations = checkStep(step, altered)
        assert.ok(
          violations.some((violation) => complains.test(violation)),
          `${name}: nothing like ${complains} among ${violations.length} findings\n${violations.slice(0, 12).join('\n')}`,
        )
      }
    })
  }

  it('complain about missing, false and too few signatures', async () => {
    const store = await loadLocalnetStore()
    const step = stepOf(store, 59)
    const { signatures } = step
    assert.ok(signatures !== undefined)
    const [number, pair] = signatures.signatures.entries()[0]!
    assert.equal(pair.signature.kind, 'simple')
    const spoilt = { ...pair, signature: { ...pair.signature, signature: flip(pair.signature.signature) } }
    const cases: [BlockSignatures | undefined, RegExp][] = [
      [undefined, /signatures: some was expected/],
      [{ ...signatures, signatures: signatures.signatures.set(number, spoilt) }, /signature 0 of .* a valid one/],
      [{ ...signatures, signatures: signatures.signatures.delete(number) }, /more than two thirds of 17/],
      [{ ...signatures, catchainSeqno: 9 }, /catchain_seqno of the signatures/],
      [{ ...signatures, kind: 'ordinary' } as BlockSignatures, /kind of signatures/],
    ]
    assert.deepEqual(checkStep(step, sourceOf(store)), [])
    for (const [changed, complains] of cases) {
      const violations = checkStep({ ...step, signatures: changed }, sourceOf(store))
      assert.ok(
        violations.some((violation) => complains.test(violation)),
        `${complains}: ${violations.join(' ')}`,
      )
    }
  })

  it('complain about a second delivery, and about money that the network lost', async () => {
    const store = await loadLocalnetStore()
    const checker = new StepChecker(sourceOf(store), { allowDevControls: false })
    assert.deepEqual(checker.check(stepOf(store, 1)).violations, [])
    assert.deepEqual(checker.check(stepOf(store, 2)).violations, [])
    const again = checker.check(stepOf(store, 2)).violations
    assert.ok(again.some((violation) => /delivery of message [0-9a-f]{64}: one was expected/.test(violation)))
    assert.ok(again.some((violation) => /all money of the network/.test(violation)))
  })

  it('count what a developer did, and want it booked', async () => {
    const store = await loadLocalnetStore()
    const booked = findWithControls(store, busy, (parts) => ({
      accounts: enrich(parts),
      totals: { ...parts.totals, totalBalance: more(parts.totals.totalBalance) },
      flow: { ...parts.flow, toNextBlk: more(parts.flow.toNextBlk), minted: more(parts.flow.minted) },
    }))
    assert.deepEqual(booked.violations, [])
    assert.equal(booked.memory.overrides, 1)
    const notBooked = findWithControls(store, busy, (parts) => ({ accounts: enrich(parts) }))
    assert.ok(notBooked.violations.some((violation) => /minted less burned: 1 was expected, 0 found/.test(violation)))
    const injected = findWithControls(store, master, ({ master: old }) => ({
      master: { ...old!, recoverCreateMsg: undefined },
    }))
    assert.equal(injected.memory.injected, 1)
    assert.ok(injected.violations.some((violation) => /minted less burned: \d+ was expected, 0 found/.test(violation)))
  })
})
