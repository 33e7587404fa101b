import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDialogues, readRequests } from '../../../test/support/replayServer.ts'
import { NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import { decodeLiteAnswer, encodeLiteQuery } from '../../codec/tl/liteQuery.ts'
import type { LiteServerPartialBlockProof } from '../../codec/tl/liteServerTypes.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ServerSession } from '../pool/runOnServers.ts'
import { blockIdsEqual } from '../proofs/unwrapProof.ts'
import { type HeadToProve, proveHead } from './proveHead.ts'

type Answer = (known: BlockIdExt, target: BlockIdExt) => LiteServerPartialBlockProof

/** The recorded chain 0 → 66 → 103 → 395, and a server that gives one link of it at a time. */
const readChain = () => {
  const dialogues = readDialogues()
  const { head, zeroState } = readRequests(dialogues)
  const call = { kind: 'liteServer.getBlockProof', mode: 1, knownBlock: zeroState, targetBlock: head } as const
  const answer = decodeLiteAnswer('liteServer.getBlockProof', dialogues.get(toHex(encodeLiteQuery({ call })))!)
  assert.ok(answer.ok)
  const { steps } = answer.result
  assert.deepEqual(
    steps.map(({ from, to }) => [from.seqno, to.seqno]),
    [
      [0, 66],
      [66, 103],
      [103, 395],
    ],
  )
  const asked: number[] = []
  const serve = (answer: Answer): ServerSession['query'] =>
    (async (_: string, { knownBlock, targetBlock }: { knownBlock: BlockIdExt; targetBlock: BlockIdExt }) => {
      asked.push(knownBlock.seqno)
      return answer(knownBlock, targetBlock)
    }) as ServerSession['query']
  const oneLink: Answer = (known, target) => {
    const step = steps.find(({ from }) => blockIdsEqual(from, known))!
    return { complete: blockIdsEqual(step.to, target), from: known, to: step.to, steps: [step] }
  }
  const wanted: HeadToProve = {
    anchor: zeroState,
    target: head,
    proven: { keyBlock: zeroState },
    isTimeUp: () => false,
  }
  return { steps, asked, serve, oneLink, wanted }
}

test('follows the links to the end, and remembers the newest key block for the next server', async () => {
  const chain = readChain()
  const { asked, serve, oneLink, wanted } = chain
  assert.deepEqual(await proveHead(serve(oneLink), wanted), { reached: wanted.target, refusal: undefined })
  assert.deepEqual(asked, [0, 66, 103])
  assert.equal(wanted.proven.keyBlock.seqno, 103)
  asked.length = 0
  assert.deepEqual((await proveHead(serve(oneLink), wanted)).reached, wanted.target)
  assert.deepEqual(asked, [0, 103])
})

test('stops where the time is up, with what is proven so far', async () => {
  const chain = readChain()
  const { asked, serve, oneLink, wanted } = chain
  const isTimeUp = (): boolean => asked.length >= 2
  const { reached, refusal } = await proveHead(serve(oneLink), { ...wanted, isTimeUp })
  assert.deepEqual([reached.seqno, refusal], [66, undefined])
  asked.length = 0
  const aborted = serve((known, target) => {
    if (known.seqno === 66) throw new Error('aborted')
    return oneLink(known, target)
  })
  assert.equal((await proveHead(aborted, { ...wanted, isTimeUp })).reached.seqno, 66)
  asked.length = 0
  await assert.rejects(proveHead(aborted, wanted), { message: 'aborted' })
})

test('a server that refuses to go on is told apart from one that fails', async () => {
  const chain = readChain()
  const { serve, oneLink, wanted } = chain
  const refusal = new NodeRefusedError(651, 'not in db')
  const refusing = serve((known, target) => {
    if (known.seqno === 66) throw refusal
    return oneLink(known, target)
  })
  const result = await proveHead(refusing, wanted)
  assert.deepEqual([result.reached.seqno, result.refusal], [66, refusal])
})

test('links that lead nowhere, or to another block, are no proof', async () => {
  const chain = readChain()
  const { steps, serve, oneLink, wanted } = chain
  const nowhere = serve((known) => ({ complete: false, from: known, to: known, steps: [] }))
  await assert.rejects(proveHead(nowhere, wanted), ProofFailedError)
  const complete = serve((known) => ({ complete: true, from: known, to: known, steps: [] }))
  await assert.rejects(proveHead(complete, wanted), ProofFailedError)
  const skipping = serve((known, target) => ({ ...oneLink(known, target), steps: steps.slice(1, 2) }))
  await assert.rejects(proveHead(skipping, wanted), ProofFailedError)
  const tooEarly = serve((known, target) => ({ ...oneLink(known, target), complete: true }))
  await assert.rejects(proveHead(tooEarly, wanted), ProofFailedError)
})
