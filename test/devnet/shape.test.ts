import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { Liteserver } from '../../src/devnet/liteserver/Liteserver.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { decodeLiteQuery } from '../support/decodeLiteQuery.ts'
import { listFixtures } from '../support/fixtures.ts'
import { readPair } from '../support/liteProofs.ts'
import { createLiteserverContext } from '../support/liteserverContext.ts'
import { loadLocalnetStore } from '../support/localnetStore.ts'
import type { OwnChain } from '../support/ownWorkload.ts'
import { type AcceptedDifferences, acceptedAnswers, acceptedBlocks } from '../support/shapes/acceptedDifferences.ts'
import { compareAnswerShapes, type RecordedPair } from '../support/shapes/answerShapes.ts'
import { compareShapes } from '../support/shapes/blockShapes.ts'
import { formatDifference, type ShapeDifference } from '../support/shapes/describeShape.ts'
import { NetworkFacts } from '../support/shapes/NetworkFacts.ts'
import { Translator } from '../support/shapes/translateQuestion.ts'
import { closeSharedMachine, startTestNetwork, transferOf } from '../support/testNetwork.ts'
import { createVariedChain } from '../support/variedChain.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

let varied: Promise<OwnChain> | undefined
const getVariedChain = (): Promise<OwnChain> => {
  varied ??= createVariedChain()
  return varied
}

/** Every difference is one that we know the reason of, and every one that the setup explains is still there. */
const assertAccepted = (differences: readonly ShapeDifference[], { bySetup, byTraffic }: AcceptedDifferences): void => {
  const [needed, allowed] = [bySetup, byTraffic].map((reasons) => Object.values(reasons).flat())
  const known = new Set([...needed!, ...allowed!])
  const found = new Set(differences.map(formatDifference))
  assert.deepEqual(
    [...found].filter((each) => !known.has(each)),
    [],
    'differences without a reason',
  )
  assert.deepEqual(
    needed!.filter((each) => !found.has(each)),
    [],
    'differences that are no more',
  )
}

const listPairs = (): RecordedPair[] =>
  listFixtures('localnet/liteserver', '.json').flatMap((path) => {
    const name = /(\d{3}-[^/]*)\.json$/.exec(path)?.[1]
    return name === undefined ? [] : [{ name, ...readPair(path) }]
  })

const isSending = (question: Uint8Array): boolean => {
  try {
    return decodeLiteQuery(question).call.kind === 'liteServer.sendMessage'
  } catch (error) {
    if (error instanceof CodedError) return false
    throw error
  }
}

describe('the structure of a chain of our own and of the recorded one', () => {
  after(async () => {
    await (await varied)?.close()
    await closeSharedMachine()
  })

  it('is the same in blocks, states, accounts, transactions and messages', async (t) => {
    const recorded = await loadLocalnetStore()
    const { store } = await getVariedChain()
    const differences = compareShapes(recorded, store)
    assertAccepted(differences, acceptedBlocks)
    t.diagnostic(`${store.index.count} blocks against ${recorded.index.count}, ${differences.length} known differences`)
  })

  it('is the same in the answers of a liteserver', async (t) => {
    const recorded = await loadLocalnetStore()
    const { store, vm } = await getVariedChain()
    const network = await startTestNetwork(t)
    const [sender, other] = network.accounts
    assert.ok(sender !== undefined && other !== undefined)
    const transfer = (key: typeof sender.key) =>
      encodeBoc([transferOf(network, { ...sender, key }, { seqno: 0, to: other.wallet.address })])
    const translator = new Translator(new NetworkFacts(recorded), new NetworkFacts(store), {
      accepted: transfer(sender.key),
      rejected: transfer(other.key),
    })
    const liteserver = new Liteserver(createLiteserverContext(store, vm), { logger })
    const sending = new Liteserver(network.liteserver, { logger })
    const pairs = listPairs()
    const { asked, differences } = await compareAnswerShapes(
      pairs,
      (question) => (isSending(question) ? sending : liteserver).answer(question),
      (question) => translator.translate(question),
    )
    assert.equal(asked, 140)
    assertAccepted(differences, acceptedAnswers)
    t.diagnostic(`${asked} answers, ${differences.length} known differences`)
  })
})
